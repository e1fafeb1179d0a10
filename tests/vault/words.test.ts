import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dictionary } from '@zxcvbn-ts/language-common'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { packPasswords } from '../../scripts/passwords.ts'
import { createStrength, fetchWords } from '../../src/vault/strength.ts'

const common = dictionary['passwords-common'] as string[]
const packed = packPasswords()
let stop = () => {}
afterEach(() => stop())

describe('the list of common passwords', () => {
  it('is unpacked as it was, each in its place', async () => {
    const url = await serve((_, response) => response.end(packed))
    expect(await fetchWords(url)).toEqual(common)
    expect(packed.length).toBeLessThan(common.join('\n').length * 0.53)
  })

  it('judges as the package itself does', async () => {
    const url = await serve((_, response) => response.end(packed))
    const packaged = createStrength(common)
    const unpacked = createStrength(await fetchWords(url))
    const variants = common
      .filter((_, rank) => rank % 1_000 === 0)
      .flatMap((word) => [word, `${word}2024!`, [...word].reverse().join(''), `${word} ${word}`])
    const random = fc.sample(fc.string({ maxLength: 16 }), 100)
    const scores = new Set<number>()
    for (const password of [...variants, ...random]) {
      const judged = unpacked(password)
      expect(judged, password).toEqual(packaged(password))
      scores.add(judged.score)
    }
    expect(scores.size).toBe(5)
  })

  it('is not had by halves', async () => {
    const answers: RequestListener[] = [
      (_, response) => response.writeHead(404).end(),
      (_, response) => response.end(packed.subarray(0, packed.length / 2)),
      (_, response) => response.end(packed.map((byte, at) => (at === 100_000 ? byte ^ 1 : byte))),
      (_, response) => response.end('no gzip'),
      (_, response) => response.destroy(),
    ]
    for (const answer of answers) {
      const url = await serve(answer)
      await expect(fetchWords(url)).rejects.toThrow()
      stop()
    }
  })
})

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stop = () => server.close()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/words.gz`
}
