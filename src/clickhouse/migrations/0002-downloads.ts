// Marks page views of files that people download. Rows from before, and from processes of the previous release, get the
// mark from their path, which may lack an `.html` at its end: only extensions that no page has in its name count.

const certain = '7z|apk|appimage|deb|dmg|exe|flatpak|ipa|iso|jar|msi|msix|nupkg|pkg|rar|rpm|snap|vmdk|vsix|war|whl|xpi'

export const statements = [
  String.raw`ALTER TABLE page_views ADD COLUMN IF NOT EXISTS is_download UInt8
    DEFAULT toUInt8(source != 'browser' AND match(lower(path), '\\.(${certain})$'))`,
] as const
