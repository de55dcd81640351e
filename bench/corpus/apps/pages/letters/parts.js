'use strict';
// In-house controls: each hides its content in a shadow root.
const look = `<style>:host{display:block;margin:.5em 0}label{display:block}input,button{font:inherit;padding:.3em .6em}
  [role=switch]{border:1px solid #888;border-radius:1em;background:#ddd;cursor:pointer}
  [role=switch][aria-checked=true]{background:#9c9}</style>`;

customElements.define(
  'x-field',
  class extends HTMLElement {
    connectedCallback() {
      const root = this.attachShadow({ mode: 'open' });
      root.innerHTML = look + `<label>${this.getAttribute('label')} <input autocomplete="off"></label>`;
      this.input = root.querySelector('input');
      this.input.value = this.getAttribute('value') || '';
    }
    get value() {
      return this.input.value.trim();
    }
  },
);

customElements.define(
  'x-switch',
  class extends HTMLElement {
    connectedCallback() {
      const root = this.attachShadow({ mode: 'open' });
      root.innerHTML =
        look +
        `<button type="button" role="switch" aria-checked="${this.getAttribute('state') === 'on'}">${this.getAttribute('label')}</button>`;
      this.button = root.querySelector('button');
      this.button.onclick = () => this.button.setAttribute('aria-checked', String(!this.on));
    }
    get on() {
      return this.button.getAttribute('aria-checked') === 'true';
    }
  },
);

customElements.define(
  'x-save',
  class extends HTMLElement {
    connectedCallback() {
      const root = this.attachShadow({ mode: 'open' });
      root.innerHTML = look + `<button type="button">Save settings</button>`;
      root.querySelector('button').onclick = async () => {
        const body = { copies: document.querySelector('x-switch').on ? 'on' : 'off' };
        for (const f of document.querySelectorAll('x-field')) body[f.getAttribute('name')] = f.value;
        const r = await fetch('/api/settings', { method: 'POST', body: JSON.stringify(body) }),
          got = await r.json();
        const p = document.createElement('p');
        p.setAttribute('role', r.ok ? 'status' : 'alert');
        p.className = r.ok ? 'notice' : 'problem';
        p.textContent = r.ok ? 'Settings saved.' : got.problem;
        document.getElementById('said').replaceChildren(p);
      };
    }
  },
);
