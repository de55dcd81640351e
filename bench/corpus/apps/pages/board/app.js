'use strict';
// A single-page application: the address says what is shown, the server is asked for data only.
const app = document.getElementById('app'),
  toasts = document.getElementById('toasts');
const columns = ['Backlog', 'Doing', 'Review', 'Done'],
  crew = ['Nobody', 'Amara', 'Dario', 'Greta', 'Jonas', 'Mira'];

function el(tag, attrs, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attrs || {})) {
    if (k.startsWith('on')) e.addEventListener(k.slice(2), v);
    else if (v !== false && v != null) e.setAttribute(k, v === true ? '' : v);
  }
  e.append(...children);
  return e;
}

async function ask(path, body) {
  const r = await fetch(path, body ? { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) } : {});
  const data = await r.json();
  if (!r.ok) throw new Error(data.problem || 'Something went wrong.');
  return data;
}

function toast(text, bad) {
  const t = el('p', { class: bad ? 'problem' : 'notice', role: bad ? 'alert' : null }, text);
  toasts.replaceChildren(t);
  setTimeout(() => t.remove(), 6000);
}

function go(path) {
  history.pushState({}, '', path);
  show();
}
addEventListener('popstate', show);
document.querySelector('header a').addEventListener('click', (e) => {
  e.preventDefault();
  go('/board');
});

function show() {
  const m = location.pathname.match(/^\/cards\/(.+)$/);
  return m ? showCard(m[1]) : showBoard();
}

let words = '';
async function showBoard() {
  document.title = 'Board - Taskboard';
  const cards = (await ask('/api/cards')).filter((c) => c.state === 'open');
  const filter = el('input', { type: 'text', placeholder: 'Filter cards', value: words });
  const lists = el('div', { class: 'columns' });
  const draw = () => {
    lists.replaceChildren(
      ...columns.map((name) =>
        column(
          name,
          cards.filter((c) => c.column === name && c.title.toLowerCase().includes(words.toLowerCase())),
        ),
      ),
    );
  };
  filter.addEventListener('input', () => {
    words = filter.value;
    draw();
  });
  app.replaceChildren(
    el('h1', {}, 'Board'),
    el('div', { class: 'tools' }, filter, el('button', { type: 'button', onclick: () => newCard() }, 'New card')),
    lists,
  );
  draw();
}

function column(name, cards) {
  const list = el('ul', { 'aria-label': name });
  for (const c of cards) {
    list.append(
      el(
        'li',
        { class: 'card', draggable: 'true', ondragstart: (e) => e.dataTransfer.setData('text/plain', c.id) },
        el(
          'a',
          {
            href: '/cards/' + c.id,
            draggable: 'false',
            onclick: (e) => {
              e.preventDefault();
              go('/cards/' + c.id);
            },
          },
          c.title,
        ),
      ),
    );
  }
  return el(
    'section',
    {
      class: 'column',
      'aria-label': name,
      ondragover: (e) => e.preventDefault(),
      ondrop: async (e) => {
        e.preventDefault();
        const id = e.dataTransfer.getData('text/plain');
        try {
          await ask('/api/cards/' + id, { column: name });
          toast('Moved to ' + name + '.');
        } catch (err) {
          toast(err.message, true);
        }
        showBoard();
      },
    },
    el('h2', {}, name + ' (' + cards.length + ')'),
    list,
  );
}

function newCard() {
  const title = el('input', { id: 't', autocomplete: 'off' });
  const who = el('select', { id: 'a' }, ...crew.map((c) => el('option', {}, c)));
  const levels = ['Low', 'Normal', 'High'].map((p) =>
    el('label', { class: 'line' }, el('input', { type: 'radio', name: 'p', value: p, checked: p === 'Normal' }), p),
  );
  const shade = el('div', { class: 'shade' });
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const form = el(
    'form',
    {
      onsubmit: async (e) => {
        e.preventDefault();
        try {
          await ask('/api/cards', { title: title.value, assignee: who.value, priority: form.querySelector('[name=p]:checked').value });
          shade.remove();
          toast('The card was created.');
          showBoard();
        } catch (err) {
          problem.textContent = err.message;
          problem.hidden = false;
        }
      },
    },
    problem,
    el('label', { for: 't' }, 'Title'),
    title,
    el('label', { for: 'a' }, 'Assignee'),
    who,
    el('fieldset', {}, el('legend', {}, 'Priority'), ...levels),
    el('button', {}, 'Create card'),
    ' ',
    el('button', { type: 'button', class: 'quiet', onclick: () => shade.remove() }, 'Discard'),
  );
  shade.append(
    el('div', { class: 'dialog', role: 'dialog', 'aria-modal': 'true', 'aria-label': 'New card' }, el('h2', {}, 'New card'), form),
  );
  document.body.append(shade);
  title.focus();
}

async function showCard(id) {
  const c = (await ask('/api/cards')).find((c) => c.id === id);
  if (!c) {
    app.replaceChildren(el('h1', {}, 'No such card'));
    return;
  }
  document.title = c.title + ' - Taskboard';
  const list = el('ul', { 'aria-label': 'Comments' });
  const comments = async () => list.replaceChildren(...(await ask('/api/cards/' + id + '/comments')).map((n) => el('li', {}, n.text)));
  const text = el('textarea', { 'aria-label': 'Write a comment' });
  const act = async (f, said) => {
    try {
      await f();
      toast(said);
    } catch (err) {
      toast(err.message, true);
    }
  };
  app.replaceChildren(
    el(
      'p',
      {},
      el(
        'a',
        {
          href: '/board',
          onclick: (e) => {
            e.preventDefault();
            go('/board');
          },
        },
        'All cards',
      ),
    ),
    el('h1', {}, c.title),
    el(
      'dl',
      {},
      el('dt', {}, 'Card'),
      el('dd', {}, c.id),
      el('dt', {}, 'Assignee'),
      el('dd', {}, c.assignee),
      el('dt', {}, 'Priority'),
      el('dd', {}, c.priority),
      el('dt', {}, 'State'),
      el('dd', {}, c.state),
    ),
    el('h2', {}, 'Comments'),
    list,
    text,
    el(
      'p',
      { class: 'tools' },
      el(
        'button',
        {
          type: 'button',
          onclick: () =>
            act(async () => {
              await ask('/api/cards/' + id + '/comments', { text: text.value });
              text.value = '';
              await comments();
            }, 'The comment was added.'),
        },
        'Add comment',
      ),
      c.state === 'open'
        ? el(
            'button',
            {
              type: 'button',
              class: 'quiet',
              onclick: () =>
                act(async () => {
                  await ask('/api/cards/' + id, { state: 'closed' });
                  await showCard(id);
                }, 'The card was closed.'),
            },
            'Close card',
          )
        : '',
    ),
  );
  await comments();
}

show();
