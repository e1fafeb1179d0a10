import type { ServerResponse } from 'node:http'
import { type HttpServer, startHttpServer } from '../httpServer.ts'
import type { Fault } from './faultServer.ts'
import type { Question } from './rpcProxy.ts'

export type MoodyNode = HttpServer & {
  methods: string[]
  mood: Fault | undefined
  moods: Record<string, Fault>
  /** Results by method; others come from `behind`, if given. */
  answers: Record<string, unknown>
}

export async function startMoodyNode(answers: Record<string, unknown>, behind?: string): Promise<MoodyNode> {
  const methods: string[] = []
  const server = await startHttpServer(async (_request, response, body) => {
    const { method }: Question = JSON.parse(body)
    methods.push(method)
    const mood = node.mood ?? node.moods[method]
    if (mood !== undefined) mood(response)
    else if (behind === undefined || method in node.answers) answer(response, node.answers[method])
    else {
      const headers = { 'content-type': 'application/json' }
      response.setHeader('content-type', 'application/json')
      response.end(await (await fetch(behind, { method: 'POST', headers, body })).text())
    }
  })
  const node: MoodyNode = { ...server, methods, mood: undefined, moods: {}, answers }
  return node
}

function answer(response: ServerResponse, result: unknown): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))
}
