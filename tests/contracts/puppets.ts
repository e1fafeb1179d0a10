import { type Address, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { readArtifact } from '../../contracts/artifact.ts'
import { type Calls, decodeRefusal, type Refusal } from './calls.ts'

export type Move = { target: Address; value?: bigint; data?: Hex }
type Outcome = { done: boolean; answer: Hex }

/** Selectors of the calls that a puppet acts on or answers. */
export const cues = {
  coin: '0x00000000',
  v2Swap: '0x022c0d9f',
  v3Swap: '0x128acb08',
  getReserves: '0x0902f1ac',
  transfer: '0xa9059cbb',
  transferFrom: '0x23b872dd',
  approve: '0x095ea7b3',
  vaultSwap: '0x52bbbe29',
} as const satisfies Record<string, Hex>

/** Puppets (contracts/attack) and their strings. */
export function createPuppets(calls: Calls, puppeteer: Address) {
  const { abi } = readArtifact('Puppet')

  async function pull(puppet: Address, functionName: string, args: unknown[]) {
    await calls.send({
      from: puppeteer,
      to: puppet,
      data: encodeFunctionData({ abi, functionName, args }),
    })
  }

  return {
    /** What the puppet does when `cue` comes. With `insists` the first failure is its own. */
    async teach(puppet: Address, cue: Hex, moves: Move[], insists = false): Promise<void> {
      const full = moves.map(({ target, value = 0n, data = '0x' }) => ({ target, value, data }))
      await pull(puppet, 'teach', [cue, insists, full])
    },

    /** What the puppet answers to calls of that selector. */
    async teachAnswer(puppet: Address, selector: Hex, answer: Hex): Promise<void> {
      await pull(puppet, 'teachAnswer', [selector, answer])
    },

    /** What became of its moves: the error, or undefined where it succeeded. */
    async outcomes(puppet: Address): Promise<(Refusal | undefined)[]> {
      const data = encodeFunctionData({ abi, functionName: 'readOutcomes' })
      const answer = await calls.ask({ from: puppeteer, to: puppet, data })
      const kept = decodeFunctionResult({ abi, functionName: 'readOutcomes', data: answer }) as Outcome[]
      return kept.map(({ done, answer }) => (done ? undefined : decodeRefusal(answer)))
    },
  }
}
