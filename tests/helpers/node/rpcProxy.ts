import { type HttpServer, startHttpServer } from '../httpServer.ts'

export type Question = { id: number; method: string; params: unknown[] }

/** JSON-RPC 2.0, section 5.1. */
export type RpcError = { code: number; message: string; data?: unknown }

export type NodeProxy = HttpServer & {
  methods: string[]
}

/**
 * Starts an HTTP proxy before an RPC. `answer` returns a response, or undefined to forward the request, which
 * it may modify; `reword` rewrites forwarded errors.
 */
export async function startProxy(
  rpcUrl: string,
  answer: (question: Question) => object | undefined,
  reword: (error: RpcError) => RpcError = (error) => error,
): Promise<NodeProxy> {
  const methods: string[] = []
  const server = await startHttpServer(async (_request, response, body) => {
    const question: Question = JSON.parse(body)
    methods.push(question.method)
    const own = answer(question)
    response.setHeader('content-type', 'application/json')
    if (own !== undefined) {
      response.end(JSON.stringify({ jsonrpc: '2.0', id: question.id, ...own }))
      return
    }
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(question) })
    const said: { error?: RpcError } = await reply.json()
    response.end(JSON.stringify({ ...said, ...(said.error && { error: reword(said.error) }) }))
  })
  return { ...server, methods }
}

export const notFound = { error: { code: -32601, message: 'Method not found' } }
