import { type HttpServer, startHttpServer } from '../httpServer.ts'

type Question = { id: number; method: string; params: unknown[] }

type Instead = { code: number; message: string } | number | undefined

/** Returns an error to answer with; undefined forwards the request. */
export type Fault = (question: Question) => Instead | Promise<Instead>

export function startFaultyNode(rpcUrl: string, fault: Fault): Promise<HttpServer> {
  return startHttpServer(async (_request, response, body) => {
    const parsed: Question | Question[] = JSON.parse(body)
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
}

/** EIP-1474. */
export const limited = { code: -32005, message: 'rate limited' }
