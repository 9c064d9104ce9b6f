// Says whose place an address is. Most hosts belong to one owner. On some, strangers get a path or a subdomain, so that the
// host alone says nothing: the first part of the path belongs to the name. Pure.

import { parse } from 'tldts'

/** Hosts of code, packages, files, forms and short links. Those of the public suffix list's private section are added. */
const shared = new Set(
  (
    'github.com gist.github.com raw.githubusercontent.com codeload.github.com gitlab.com bitbucket.org codeberg.org gitee.com ' +
    'git.sr.ht sr.ht sourceforge.net launchpad.net huggingface.co replit.com codesandbox.io stackblitz.com codepen.io ' +
    'jsfiddle.net jsbin.com glitch.com npmjs.com www.npmjs.com unpkg.com cdn.jsdelivr.net esm.sh cdn.skypack.dev pypi.org ' +
    'rubygems.org crates.io hub.docker.com quay.io ghcr.io drive.google.com docs.google.com forms.gle sites.google.com ' +
    'storage.googleapis.com www.dropbox.com dropbox.com onedrive.live.com 1drv.ms mega.nz wetransfer.com mediafire.com ' +
    'archive.org pastebin.com hastebin.com forms.office.com tally.so typeform.com airtable.com jotform.com notion.so ' +
    'www.notion.so medium.com dev.to substack.com telegra.ph t.me discord.gg bit.ly tinyurl.com goo.gl rebrand.ly ' +
    'webhook.site requestbin.com hooks.zapier.com hooks.slack.com s3.amazonaws.com'
  ).split(' '),
)

/** First parts of paths that say what follows, and not whose it is: `www.npmjs.com/package/acme`. */
const kinds =
  /^(?:packages?|projects?|crates|gems|orgs|users|apps|sponsors|document|forms|spreadsheets|presentation|file|drive|folders|view|site|datasets|spaces|repository|details|download|raw|edit|npm|gh|[a-z])$/

/** `acme.example`, or `github.com/acme` where strangers have paths, in lower case. */
export function placeOf({ hostname, pathname }: Pick<URL, 'hostname' | 'pathname'>): string {
  const host = hostname.replace(/\.$/, '')
  const parts = pathname.toLowerCase().split('/').filter(Boolean)
  const owner = parts.findIndex((part) => !kinds.test(part))
  const own = parts.slice(0, owner < 0 ? parts.length : owner + 1)
  const isShared = own.length > 0 && (shared.has(host) || parse(host, { allowPrivateDomains: true }).isPrivate === true)
  return isShared ? `${host}/${own.join('/').slice(0, 100)}` : host
}
