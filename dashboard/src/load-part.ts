// Loads a part of the dashboard that is a file of its own. After an upgrade a tab of the older build asks for files that are
// gone: then the page is loaded again, once a build. A second failure is the caller's.

const key = 'reloaded'

export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    const build = document.querySelector('script')?.src ?? ''
    if (sessionStorage.getItem(key) === build) throw error
    sessionStorage.setItem(key, build)
    location.reload()
    // Nothing continues without the part while the page goes.
    return new Promise(() => undefined)
  }
}
