// Pages outside of the repository, as an agent needs them. The service decides which addresses may be read, not the agent.

/** A page that was asked for: what a person sees of the request later. */
export type AskedPage = {
  /** As it was asked for. */
  readonly address: string
  /** Null: there was no response. */
  readonly status: number | null
  /** The size of the response, before it became text. */
  readonly bytes: number
}

export type PageAnswer =
  /** `head`: about the page, in words of the service. `text`: what the page says, which is data. */
  | {
      readonly kind: 'page'
      readonly asked: AskedPage
      readonly head: string
      readonly text: string
      /** The links of the page that the run may follow. */
      readonly links: readonly string[]
    }
  /** A request was sent, and there is no text to read. */
  | { readonly kind: 'failed'; readonly asked: AskedPage; readonly reason: string }
  /** Nothing was sent. */
  | { readonly kind: 'refused'; readonly reason: string }

export interface Pages {
  /** Whether there is an address that may be read, by what is stored about the run: the same when it continues elsewhere. */
  mayRead(): Promise<boolean>
  /** Throws only the reason of `signal`. */
  read(address: string, signal: AbortSignal): Promise<PageAnswer>
}
