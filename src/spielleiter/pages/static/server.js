// How a page reaches who answers it and what it runs: here a server. The folder of `spielleiter export workshop` has
// exported-server.js under this name, where Python in the browser answers.

/** @param {string} address @param {RequestInit} [options] */
export const request = (address, options) => fetch(address, options);

// A file that Python needs.
/** @param {string} address */
export const file = (address) => fetch(address);

// The address from which a worker may import a script.
/** @param {string} address */
export const scriptFor = async (address) => address;

/** @param {string} address */
export const openWorker = async (address) => new Worker(address, { type: "module" });
