import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Question = { id: number; method: string; params: unknown[] }

export type NodeProxy = {
  url: string
  /** What was asked, in order. */
  methods: string[]
  stop(): Promise<void>
}

/**
 * A node in front of another one, over real HTTP. `answer` says what it answers itself, as `result` or `error`; what it leaves
 * undefined goes to the other, as `answer` may have changed it.
 */
export async function startProxy(
  rpcUrl: string,
  answer: (question: Question) => object | undefined,
): Promise<NodeProxy> {
  const methods: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const question: Question = JSON.parse(Buffer.concat(chunks).toString())
    methods.push(question.method)
    const own = answer(question)
    response.setHeader('content-type', 'application/json')
    if (own !== undefined) {
      response.end(JSON.stringify({ jsonrpc: '2.0', id: question.id, ...own }))
      return
    }
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(question) })
    response.end(await reply.text())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    methods,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** What a node answers to a method that it does not know (JSON-RPC 2.0). */
export const notFound = { error: { code: -32601, message: 'Method not found' } }
