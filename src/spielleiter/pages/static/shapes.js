// Pictures from a place that is not trusted: of an SVG only shapes, text and what they look like are taken.

const ELEMENTS = new Set("svg g path rect circle ellipse line polygon polyline text tspan".split(" "));
const ATTRIBUTES = new Set(
  "aria-hidden class cx cy d data-at data-last data-step data-turn dominant-baseline dx dy fill fill-opacity fill-rule font-family font-size font-style font-weight height opacity points r rx ry stroke stroke-dasharray stroke-linecap stroke-linejoin stroke-opacity stroke-width text-anchor transform viewBox width x x1 x2 y y1 y2".split(
    " ",
  ),
);
const SVG = "http://www.w3.org/2000/svg";
const MAX_LENGTH = 1 << 20;

/** The picture as text again, or an empty text. @param {unknown} source */
export function shapes(source) {
  if (typeof source !== "string" || source.length > MAX_LENGTH) return "";
  const root = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
  if (root.localName !== "svg") return "";
  return new XMLSerializer().serializeToString(copied(root));
}

function copied(element) {
  const copy = document.createElementNS(SVG, element.localName);
  for (const { name, value } of element.attributes) {
    // A colour may be a variable of ours, but nothing may be fetched for it.
    if (ATTRIBUTES.has(name) && !/url\s*\(/i.test(value)) copy.setAttribute(name, value);
  }
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) copy.append(child.textContent);
    else if (child.namespaceURI === SVG && ELEMENTS.has(child.localName)) copy.append(copied(child));
  }
  return copy;
}
