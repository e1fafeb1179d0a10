import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { packPasswords } from '../../scripts/passwords.ts'
import { createStrength, fetchKnown } from '../../src/vault/strength.ts'

const common = dictionary['passwords-common'] as string[]
const kept = common.filter((word, at) => at < 2 ** 14 || word.length >= 10)
const packed = await packPasswords()
let stop = () => {}
afterEach(() => stop())

describe('what is known about passwords', () => {
  it('is the 16,384 commonest and all that are long, none at a quarter of its rank or at twice', async () => {
    const url = await serve((_, response) => response.end(packed))
    const { words } = await fetchKnown(url)
    expect(words.toSorted()).toEqual(kept.toSorted())
    const ranks = new Map(common.map((word, at) => [word, at + 1]))
    const shifts = words.map((word, at) => (at + 1) / ranks.get(word)!)
    expect(Math.min(...shifts)).toBeGreaterThan(1 / 4)
    expect(Math.max(...shifts)).toBeLessThan(2)
    expect(packed.length).toBeLessThan(common.join('\n').length / 3)
  })

  it('is which keys are neighbours, as the package has it', async () => {
    const url = await serve((_, response) => response.end(packed))
    expect((await fetchKnown(url)).keyboards).toEqual(adjacencyGraphs)
  })

  it('judges as the package itself does, but for what is on the verge', async () => {
    const url = await serve((_, response) => response.end(packed))
    const packaged = createStrength({ words: kept, keyboards: adjacencyGraphs })
    const unpacked = createStrength(await fetchKnown(url))
    const variants = kept
      .filter((_, rank) => rank % 300 === 0)
      .flatMap((word) => [word, `${word}2024!`, [...word].reverse().join(''), `${word} ${word}`])
    const random = fc.sample(fc.string({ maxLength: 16 }), { numRuns: 100, seed: 4 })
    const scores = new Set<number>()
    let others = 0
    for (const password of [...variants, ...random]) {
      const { score, accepted } = unpacked(password)
      const exactly = packaged(password)
      expect(Math.abs(score - exactly.score), password).toBeLessThanOrEqual(1)
      if (accepted !== exactly.accepted) others += 1
      scores.add(score)
    }
    expect(others / variants.length).toBeLessThan(0.01)
    expect(scores.size).toBe(5)
  })

  it('is not had by halves', async () => {
    const answers: RequestListener[] = [
      (_, response) => response.writeHead(404).end(),
      (_, response) => response.end(packed.subarray(0, packed.length / 2)),
      (_, response) => response.end(packed.map((byte, at) => (at === 30_000 ? byte ^ 1 : byte))),
      (_, response) => response.end('no gzip'),
      (_, response) => response.destroy(),
    ]
    for (const answer of answers) {
      const url = await serve(answer)
      await expect(fetchKnown(url)).rejects.toThrow()
      stop()
    }
  })
})

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stop = () => server.close()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/passwords.gz`
}
