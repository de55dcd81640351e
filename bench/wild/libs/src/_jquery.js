import jQuery from 'jquery';
globalThis.jQuery = globalThis.$ = jQuery;
export default jQuery;
