import type { ServerResponse } from 'node:http'
import type { Fault } from '../api/faultServer.ts'
import { type HttpServer, startHttpServer } from '../httpServer.ts'
import type { Question } from './proxy.ts'

export type MoodyNode = HttpServer & {
  /** What was asked, in order. */
  methods: string[]
  /** What it does with every question from now on. `undefined`: it answers. */
  mood: Fault | undefined
  /** The same of one method alone. */
  moods: Record<string, Fault>
  /** What it answers itself, by method: the result. Anything else goes to the node behind it, if there is one. */
  answers: Record<string, unknown>
}

/** A small node over real HTTP that has its moods. */
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
