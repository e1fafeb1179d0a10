import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { longWords, packPasswords } from '../../../scripts/packCommonPasswords.ts'
import { createStrength, loadCommonPasswords } from '../../../src/vault/words/strength.ts'
import { figure } from '../../helpers/figures.ts'
import { slow } from '../../helpers/slow.ts'

slow('Argon2id runs at its full cost.')

const common = dictionary['passwords-common'] as string[]
const kept = common.filter(
  (word, at) => word.length >= 10 || at < 1_000 || (at < 14_000 && /^.{6,}$/.test(word) && /\D/.test(word)),
)
const long = longWords(kept)
const packed = await packPasswords()
let stop = () => {}
afterEach(() => stop())

describe('shipped password data', () => {
  it('contains the expected passwords and long words, at 1/4 to 2 times their exact rank', async () => {
    const url = await serve((_, response) => response.end(packed))
    const { common: words, long: others } = await loadCommonPasswords(url)
    expect(words.toSorted()).toEqual(kept.toSorted())
    expect(others).toEqual(long)
    figure('4', `${words.length} common passwords and ${long.length} long words ship, ${packed.length} bytes`)
    const ranks = new Map(kept.map((word, at) => [word, at + 1]))
    const shifts = words.map((word, at) => (at + 1) / ranks.get(word)!)
    expect(Math.min(...shifts)).toBeGreaterThan(1 / 4)
    expect(Math.max(...shifts)).toBeLessThan(2)
    expect(packed.length).toBeLessThan(common.join('\n').length / 3)
  })

  it('contains the keyboard adjacency graphs of the package', async () => {
    const url = await serve((_, response) => response.end(packed))
    expect((await loadCommonPasswords(url)).keyboards).toEqual(adjacencyGraphs)
  })

  it('rates within one score of the exact data and decides differently in under 1% of the cases', async () => {
    const url = await serve((_, response) => response.end(packed))
    const packaged = createStrength({ common: kept, long, keyboards: adjacencyGraphs })
    const unpacked = createStrength(await loadCommonPasswords(url))
    const variants = kept
      .filter((_, rank) => rank % 200 === 0)
      .flatMap((word) => [word, `${word}2024!`, [...word].reverse().join(''), `${word} ${word}`])
    const random = fc.sample(fc.string({ maxLength: 16 }), { numRuns: 100, seed: 4 })
    const scores = new Set<number>()
    let others = 0
    for (const password of [...variants, ...random, 'violet anchor tundra']) {
      const { score, accepted } = unpacked(password)
      const exactly = packaged(password)
      expect(Math.abs(score - exactly.score), password).toBeLessThanOrEqual(1)
      if (accepted !== exactly.accepted) others += 1
      scores.add(score)
    }
    expect(others / variants.length).toBeLessThan(0.01)
    expect([...scores].sort()).toEqual([0, 1, 2, 3, 4])
  })

  it('rejects a missing, truncated, corrupted or interrupted download', async () => {
    const answers: RequestListener[] = [
      (_, response) => response.writeHead(404).end(),
      (_, response) => response.end(packed.subarray(0, packed.length / 2)),
      (_, response) => response.end(packed.map((byte, at) => (at === 30_000 ? byte ^ 1 : byte))),
      (_, response) => response.end('no gzip'),
      (_, response) => response.destroy(),
    ]
    for (const answer of answers) {
      const url = await serve(answer)
      await expect(loadCommonPasswords(url)).rejects.toThrow()
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
