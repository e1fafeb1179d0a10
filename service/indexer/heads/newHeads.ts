import { hexToBigInt } from 'viem'
import { getWebSocketRpcClient } from 'viem/utils'
import { z } from 'zod'
import type { Head } from '../block.ts'

export type NewHeads = {
  /** True while heads arrive. */
  isLive(): boolean
  stop(): void
}

export type NewHeadsOptions = {
  /** Without a head for this time the connection is opened anew. */
  silenceMs: () => number
  retryMs?: number
  /** Receives no reason: it could contain the URL, and with it a key. */
  onLoss?: () => void
}

const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,16}$/)
  .transform((text) => hexToBigInt(text as `0x${string}`))
const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)])

/** geth: eth/filters/api.go, NewHeads. */
const notification = z.object({
  params: z.object({
    result: z.object({
      number: quantity,
      hash,
      parentHash: hash,
      timestamp: quantity,
      baseFeePerGas: quantity.exactOptional(),
      logsBloom: z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{512}$/)]).exactOptional(),
    }),
  }),
})

/** Passes each new head of `eth_subscribe`, and reconnects; heads during a reconnection are lost. */
export function subscribeNewHeads(
  url: string,
  onHead: (head: Head) => void,
  { silenceMs, retryMs = 5_000, onLoss = () => {} }: NewHeadsOptions,
): NewHeads {
  let isStopped = false
  let isLive = false
  let timer: NodeJS.Timeout | undefined
  let close = () => {}

  function wait(ms: number, then: () => void): void {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(then, ms).unref()
  }

  function lose(): void {
    if (isLive) onLoss()
    isLive = false
    close()
    close = () => {}
    wait(retryMs, connect)
  }

  function take(message: unknown): void {
    const parsed = notification.safeParse(message)
    if (!parsed.success) return
    const { baseFeePerGas = 0n, logsBloom, ...head } = parsed.data.params.result
    isLive = true
    wait(silenceMs(), lose)
    onHead({ ...head, baseFeePerGas, ...(logsBloom === undefined ? {} : { logsBloom }) })
  }

  async function connect(): Promise<void> {
    wait(silenceMs(), lose)
    try {
      // viem's own reconnection writes the URL to standard error.
      const client = await getWebSocketRpcClient(url, { reconnect: false, keepAlive: false })
      if (isStopped) return client.close()
      let isOpen = true
      close = () => {
        isOpen = false
        client.close()
      }
      client.request({
        body: { method: 'eth_subscribe', params: ['newHeads'] },
        onResponse(message) {
          if ('error' in message && message.error !== undefined) lose()
          else if (isOpen) take(message)
        },
        onError() {
          if (isOpen) lose()
        },
      })
    } catch {
      lose()
    }
  }
  void connect()

  return {
    isLive: () => isLive,
    stop() {
      isStopped = true
      isLive = false
      clearTimeout(timer)
      close()
    },
  }
}
