// The path under which the service is published, such as `/` or `/docent/`. The only module that knows it.

/** Built, this module is in `assets/`, one folder below the prefix. The dev server has no prefix. */
export const prefix: string = import.meta.env.DEV ? '/' : new URL(/* @vite-ignore */ '..', import.meta.url).pathname
