import { type Address, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { readArtifact } from '../../../contracts/artifact.ts'
import { type Calls, decodeRefusal, type Refusal } from './calls.ts'

export type Move = { target: Address; value?: bigint; data?: Hex }
type Outcome = { done: boolean; answer: Hex }

export const cues = {
  coin: '0x00000000',
  v2Swap: '0x022c0d9f',
  v3Swap: '0x128acb08',
  getReserves: '0x0902f1ac',
  getAmountOut: '0xf140a35a',
  transfer: '0xa9059cbb',
  transferFrom: '0x23b872dd',
  approve: '0x095ea7b3',
  vaultSwap: '0x52bbbe29',
} as const satisfies Record<string, Hex>

/** Scripts puppets (contracts/test/hostile). */
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
    /** With `insists` a failed move reverts the call. */
    async teach(puppet: Address, cue: Hex, moves: Move[], insists = false): Promise<void> {
      const full = moves.map(({ target, value = 0n, data = '0x' }) => ({ target, value, data }))
      await pull(puppet, 'teach', [cue, insists, full])
    },

    async teachAnswer(puppet: Address, selector: Hex, answer: Hex): Promise<void> {
      await pull(puppet, 'teachAnswer', [selector, answer])
    },

    /** Error of each move, undefined if it succeeded. */
    async outcomes(puppet: Address): Promise<(Refusal | undefined)[]> {
      const data = encodeFunctionData({ abi, functionName: 'readOutcomes' })
      const answer = await calls.ask({ from: puppeteer, to: puppet, data })
      const kept = decodeFunctionResult({ abi, functionName: 'readOutcomes', data: answer }) as Outcome[]
      return kept.map(({ done, answer }) => (done ? undefined : decodeRefusal(answer)))
    },
  }
}
