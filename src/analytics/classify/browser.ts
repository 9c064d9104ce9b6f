// Detects user agents that look like a browser's, and the headers that such a browser sends. This proves nothing: any
// client can send such a user agent. Browsers inside apps count as browsers, because people read in them.

/** Includes Presto and the browsers of small phones, which begin differently; excludes Internet Explorer before 11. */
const shape =
  /^(?:tv bro\/[\w.]{1,20} )?mozilla\/5\.0 \(.*(?:applewebkit|gecko|khtml|trident\/7)|^opera\/9\.|^ucweb\/|^nokia.*ucbrowser/

/** `lower` is the user agent in lower case. */
export function hasBrowserShape(lower: string): boolean {
  return shape.test(lower)
}

/** Matches browsers that show a page inside an app, or whose engine differs from their name. */
const embedded =
  /; wv\)|version\/4\.0 chrome|electron\/|crios\/|edgios\/|fxios\/|opios\/|gsa\/|fban|fb_iab|instagram|micromessenger|line\/|qtwebengine|silk\/|smart-tv|\btv\b|ucbrowser|miuibrowser|cobalt|web0s|tizen|playstation|xbox/

/** Returns the major version of a standalone Chrome, or of a browser with its name; undefined for any other. */
export function standaloneChrome(lower: string): number | undefined {
  const major = /\bchrome\/(\d{1,4})\./.exec(lower)?.[1]
  return major === undefined || embedded.test(lower) ? undefined : Number(major)
}

/** Matches Firefox and Safari, which never send client hints. */
export function isWithoutHints(lower: string): boolean {
  if (/\bfirefox\/\d/.test(lower)) return true
  return /\bversion\/\d[\d.]{0,10} (?:mobile\/\w{1,10} )?safari\//.test(lower) && !/chrom|android|edg/.test(lower)
}

/** Reads the version in `"Chromium";v="142"` of Sec-CH-UA. */
export function hintedMajor(secChUa: string): number | undefined {
  const major = /"chromium"\s{0,4};\s{0,4}v="(\d{1,4})/i.exec(secChUa)?.[1]
  return major === undefined ? undefined : Number(major)
}

/**
 * Names of people's browsers and televisions that contain a word of crawlers, or an address. A product that calls itself
 * a browser is one: `SogouMobileBrowser/6.1`, `coccocbrowser/47.0`, `Ask.com Mobile Browser`.
 */
const browserNames =
  /(?:ask\.com mobile |qtweb internet )?(?<![\w.])(?!dmbrowser)[\w.]{0,40}browser(?:hd)?\b(?:\/[\w.]{1,40})?(?: http:\/\/www\.qtweb\.net)?|\bsogoumse\b|\bomi\/[\w.]{1,40}|\bgoogle ?(?:tv|earth)\b(?: pro)?(?:[ /][\w.]{1,20})?|\bgooglehypersonic\b|(?<=chrome\/[\d.]{1,20})coccoc\b|\bbada\/[\d.]{1,10};|\bjava(?:fx)?\/[\w.]{1,20}|\bproxyfox\/|\btorrent\/|\bqihoo newssdk\/|\[air\.[\w.]{1,80}\/|\bce-html\/[\d.]{1,8} \(\)|\(webos\/[\d.]{1,8};|^mozilla\/5\.0 \(samsung;[^()]{0,120}\)|\bom_sd_sogou\w{1,10}/gi

/** Removes the names of browsers and devices that contain a word of crawlers. Expects the shape of a browser's user agent. */
export function withoutBrowserNames(userAgent: string): string {
  return withoutDevice(userAgent).replaceAll(browserNames, ' ')
}

/**
 * Removes the name of an Android device, which makers choose freely: CUBOT, Spider. Keeps a comment with an address or
 * `compatible`, which is not the name of a device.
 */
export function withoutDevice(userAgent: string): string {
  return userAgent.replace(
    /\(linux;(?: u;| arm_64;)? android [\d.]{1,12};([^()]{0,200})\)/i,
    (comment, device: string) => (/compatible|https?:|@/i.test(device) ? comment : '(Linux; Android)'),
  )
}
