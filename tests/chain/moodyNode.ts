import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fault } from '../api/faultServer.ts'
import type { Question } from './proxy.ts'

export type MoodyNode = {
  url: string
  /** What was asked, in order. */
  methods: string[]
  /** What it does with every question from now on. `undefined`: it answers. */
  mood: Fault | undefined
  /** The same of one method alone. */
  moods: Record<string, Fault>
  /** What it answers itself, by method: the result. Anything else goes to the node behind it, if there is one. */
  answers: Record<string, unknown>
  stop(): Promise<void>
}

/** A small node over real HTTP that has its moods. */
export async function startMoodyNode(answers: Record<string, unknown>, behind?: string): Promise<MoodyNode> {
  const methods: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
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
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const node: MoodyNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    methods,
    mood: undefined,
    moods: {},
    answers,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return node
}

function answer(response: ServerResponse, result: unknown): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))
}
