// Whether a user agent looks like a browser's, and which headers that browser sends. This proves nothing: any client
// can send such a user agent. Browsers inside apps count as browsers, because people read in them.

/** Presto and the browsers of small phones begin in their own way; Internet Explorer before 11 is no browser any more. */
const shape = /^mozilla\/5\.0 \(.*(?:applewebkit|gecko|khtml|trident\/7)|^opera\/9\.|^ucweb\/|^nokia.*ucbrowser/

/** `lower` is the user agent in lower case. */
export function hasBrowserShape(lower: string): boolean {
  return shape.test(lower)
}

/** Browsers that show a page inside something else, or whose engine differs from their name. */
const embedded =
  /; wv\)|version\/4\.0 chrome|electron\/|crios\/|edgios\/|fxios\/|opios\/|gsa\/|fban|fb_iab|instagram|micromessenger|line\/|qtwebengine|silk\/|smart-tv|\btv\b|ucbrowser|miuibrowser|cobalt|web0s|tizen|playstation|xbox/

/** The major version of a standalone Chrome, or of a browser with its name; undefined for any other. */
export function standaloneChrome(lower: string): number | undefined {
  const major = /\bchrome\/(\d{1,4})\./.exec(lower)?.[1]
  return major === undefined || embedded.test(lower) ? undefined : Number(major)
}

/** Firefox and Safari: they have never sent client hints. */
export function isWithoutHints(lower: string): boolean {
  if (/\bfirefox\/\d/.test(lower)) return true
  return /\bversion\/\d[\d.]{0,10} (?:mobile\/\w{1,10} )?safari\//.test(lower) && !/chrom|android|edg/.test(lower)
}

/** The version in `"Chromium";v="142"` of Sec-CH-UA. */
export function hintedMajor(secChUa: string): number | undefined {
  const major = /"chromium"\s{0,4};\s{0,4}v="(\d{1,4})/i.exec(secChUa)?.[1]
  return major === undefined ? undefined : Number(major)
}

/**
 * Makers name Android devices freely: CUBOT, Spider. A comment that contains an address or `compatible` is not the name of
 * a device.
 */
export function withoutDevice(userAgent: string): string {
  return userAgent.replace(/\(linux;(?: u;)? android [\d.]{1,12};([^()]{0,200})\)/i, (comment, device: string) =>
    /compatible|https?:|@/i.test(device) ? comment : '(Linux; Android)',
  )
}
