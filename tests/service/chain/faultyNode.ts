import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Question = { id: number; method: string; params: unknown[] }

type Instead = { code: number; message: string } | number | undefined

/** What a question is answered with instead: a JSON-RPC error, or an HTTP status; undefined lets it through. */
export type Fault = (question: Question) => Instead | Promise<Instead>

/** A node in front of the one at `rpcUrl` that fails where it is told to. */
export async function startFaultyNode(rpcUrl: string, fault: Fault) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const parsed: Question | Question[] = JSON.parse(text)
    const questions = Array.isArray(parsed) ? parsed : [parsed]
    const faults = await Promise.all(questions.map(fault))
    const status = faults.find((found) => typeof found === 'number')
    if (status !== undefined) return void response.writeHead(status).end()

    const answers = await Promise.all(
      questions.map(async (question, i) => {
        if (faults[i] !== undefined) return { jsonrpc: '2.0', id: question.id, error: faults[i] }
        const headers = { 'content-type': 'application/json' }
        return (await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(question) })).json()
      }),
    )
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(Array.isArray(parsed) ? answers : answers[0]))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What providers answer above their rate (EIP-1474). */
export const limited = { code: -32005, message: 'rate limited' }
