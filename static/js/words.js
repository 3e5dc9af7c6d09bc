// Messages in the language of the page. A page in another language than English loads the site's catalogue first.

const catalogue = globalThis.django;

/** For the browser's own words: it may not know the page's language. */
export const LANGUAGES = [globalThis.document?.documentElement.lang ?? "en-GB", "en-GB"];

/** A message with its fields.
 *  @param {string} message @param {Record<string, string | number>} fields */
export const filled = (message, fields) => message.replace(/{(\w+)}/g, (hole, name) => String(fields[name] ?? hole));

/** @param {string} message @param {Record<string, string | number>} fields */
export const said = (message, fields = {}) => filled(catalogue?.gettext(message) ?? message, fields);

/** A message in which the number {n} decides.
 *  @param {string} one @param {string} many @param {number} n @param {Record<string, string | number>} fields */
export const counted = (one, many, n, fields = {}) =>
  filled(catalogue?.ngettext(one, many, n) ?? (n === 1 ? one : many), { n, ...fields });
