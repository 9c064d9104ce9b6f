// Decides which tab of the browser holds the event stream. On HTTP/1.1 a browser opens six connections to a host, and a
// stream keeps one: with a stream in each of six tabs, every further request waits. So only the tab that was visible last
// streams, and the others poll.
//
//   idle ──claim──► holds the stream ──a later claim of another tab──► idle
//                        └──release──► idle, and the others may claim

type Claim = { readonly kind: 'claim'; readonly at: number; readonly id: string }
export type Message = Claim | { readonly kind: 'free' }

export type StreamTurn = {
  /** The person sees this tab, so it gets the stream. */
  claim(): void
  /** This tab needs no stream now. */
  release(): void
  /** Another tab sent this. */
  receive(message: Message): void
}

type Deps = {
  /** Sends to the other tabs. */
  readonly send: (message: Message) => void
  /** Names this tab. */
  readonly id: string
  readonly now: () => number
  /** Would this tab stream if it could? */
  readonly wants: () => boolean
  readonly changed: (hasTurn: boolean) => void
}

export function createStreamTurn({ send, id, now, wants, changed }: Deps): StreamTurn {
  let own: Claim | undefined
  const claim = () => {
    own = { kind: 'claim', at: now(), id }
    send(own)
    changed(true)
  }
  const receive = (message: Message) => {
    if (message.kind === 'free') {
      if (own === undefined && wants()) claim()
    } else if (own !== undefined && isLater(message, own)) {
      own = undefined
      changed(false)
    } else if (own !== undefined) {
      // The other tab does not know yet that the person saw this one later.
      send(own)
    }
  }
  return {
    claim,
    release: () => {
      if (own === undefined) return
      own = undefined
      send({ kind: 'free' })
      changed(false)
    },
    receive,
  }
}

/** A total order, so that of several tabs exactly one keeps the turn. */
function isLater(one: Claim, other: Claim): boolean {
  return one.at === other.at ? one.id > other.id : one.at > other.at
}
