// Elements of a page, as the types that they have in our templates.

/** @param {string} id */
export const linkById = (id) => /** @type {HTMLAnchorElement | null} */ (document.getElementById(id));

/** @param {string} id */
export const buttonById = (id) => /** @type {HTMLButtonElement | null} */ (document.getElementById(id));

/** @param {string} id */
export const fieldById = (id) =>
  /** @type {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | null} */ (
    document.getElementById(id)
  );

/** @param {string} selector @param {ParentNode} parent */
export const elements = (selector, parent = document) =>
  /** @type {NodeListOf<HTMLElement>} */ (parent.querySelectorAll(selector));

// Where an event happened: keys, clicks and input always happen at an element.
/** @param {Event} event */
export const targetOf = (event) => /** @type {HTMLElement} */ (event.target);

/** @param {Event} event @param {string} selector */
export const closestTo = (event, selector) =>
  /** @type {HTMLElement | null} */ (targetOf(event).closest(selector));

// The form that is submitted, and what it sends; for forms without files.
/** @param {SubmitEvent} event */
export function submitted(event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const fields = Array.from(new FormData(form, event.submitter), ([name, value]) => [name, String(value)]);
  return { form, body: new URLSearchParams(fields) };
}
