/**
 * Failures of an RPC. `late` performs, but loses the answer; `busy` is 429; `lagging` calls nonces too low;
 * `forgetful` falsely claims to know the transaction.
 */
export const troubles = ['silent', 'late', 'busy', 'refusing', 'full', 'lagging', 'forgetful'] as const
export type Trouble = (typeof troubles)[number]

export type Mood = ReturnType<typeof createMood>

export function createMood() {
  let trouble: Trouble | undefined
  let left = 0

  const refuse = (message: string) =>
    Response.json({ jsonrpc: '2.0', id: 1, error: { code: -32_000, message } })

  async function answer(url: string | URL | Request, init?: RequestInit): Promise<Response> {
    if (
      mood.forgetsState &&
      /eth_getTransactionCount.*"0x/.test(String(init?.body).replace(/"0x[\da-f]{40}"/i, ''))
    )
      return refuse('missing trie node')
    // No timeout, for busy machines.
    const ask = () => fetch(url, { ...init, signal: null })
    const isSending = String(init?.body).includes('eth_sendRawTransaction')
    if (trouble === undefined || left <= 0) return ask()
    if (!isSending && ['full', 'lagging', 'forgetful'].includes(trouble)) return ask()
    left--
    switch (trouble) {
      case 'late':
        await (await ask()).text()
        throw new TypeError('The connection was lost.')
      case 'silent':
        throw new TypeError('Nobody is there.')
      case 'busy':
        return new Response('', { status: 429 })
      case 'refusing':
        return refuse('internal error')
      case 'full':
        return refuse('txpool is full')
      case 'lagging':
        return refuse('nonce too low')
      case 'forgetful':
        return refuse('already known')
    }
  }

  const mood = {
    fetch: answer as typeof fetch,
    /** Keeps only the newest state. */
    forgetsState: false,
    isWell: () => trouble === undefined || left <= 0,
    fall(into: Trouble, questions: number) {
      trouble = into
      left = questions
    },
    recover() {
      trouble = undefined
      left = 0
    },
  }
  return mood
}
