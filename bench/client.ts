import { Agent, get } from 'node:http'
import { summarise } from './stats.ts'

// Child process of local.ts.

export type Load = { urls: string[]; connections: number }

process.once('message', async ({ urls, connections }: Load) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const took: number[] = []
  let refused = 0
  let next = 0
  const started = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let url = urls[next++]; url !== undefined; url = urls[next++]) {
        const asked = performance.now()
        if ((await ask(url)) !== 200) refused++
        took.push(performance.now() - asked)
      }
    }),
  )
  const seconds = (performance.now() - started) / 1_000
  agent.destroy()
  process.send?.({ times: summarise(took), perSecond: took.length / seconds, refused })
  process.disconnect?.()

  function ask(url: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      get(url, { agent }, (answer) => {
        answer.resume()
        answer.once('end', () => resolve(answer.statusCode))
      }).once('error', reject)
    })
  }
})
