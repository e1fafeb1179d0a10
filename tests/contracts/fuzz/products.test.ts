import fc from 'fast-check'
import { type Address, decodeFunctionResult, encodeFunctionData, maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readArtifact } from '../../../contracts/artifact.ts'
import { startAnvil } from '../../../dev/chain/anvil.ts'
import { createLocalnetClient } from '../../../dev/chain/client.ts'

const address: Address = '0x00000000000000000000000000000000000a5175'
let node: Awaited<ReturnType<typeof startAnvil>>
let client: ReturnType<typeof createLocalnetClient>
beforeAll(async () => {
  node = await startAnvil({ chainId: 31337, port: 0 })
  client = createLocalnetClient(node.rpcUrl, 31337)
  await client.setCode({ address, bytecode: readArtifact('Arithmetic').deployedBytecode })
})
afterAll(() => node.stop())

describe('atLeast', () => {
  it('compares products of any size', async () => {
    // Includes neighbours with nearly equal products.
    const number = fc.oneof(
      fc.bigInt(0n, maxUint256),
      fc.nat(256).map((bits) => 2n ** BigInt(bits) - 1n),
      fc.nat(255).map((bits) => 2n ** BigInt(bits)),
      fc.constantFrom(0n, 1n, maxUint256, maxUint256 - 1n, 2n ** 128n + 1n),
    )
    const four = fc.oneof(
      fc.tuple(number, number, number, number),
      fc.tuple(number, number).map(([a, b]) => [a, b, b, a] as const),
      fc
        .tuple(number, number)
        .map(([a, b]) => [a, b, a === 0n ? a : a - 1n, b === maxUint256 ? b : b + 1n] as const),
    )
    const cases = [
      [0n, 0n, 0n, 0n] as const,
      [maxUint256, maxUint256, maxUint256, maxUint256] as const,
      [maxUint256, maxUint256 - 1n, maxUint256 - 1n, maxUint256] as const,
      ...fc.sample(four, 1_500),
    ]
    const { abi } = readArtifact('Arithmetic')
    const calls = cases.map((args) => ({
      to: address,
      data: encodeFunctionData({ abi, functionName: 'atLeast', args }),
    }))
    const [block] = await client.simulateBlocks({ blocks: [{ calls }] })
    for (const [index, [a, b, c, d]] of cases.entries()) {
      const data = block!.calls[index]!.data
      const answer = decodeFunctionResult({ abi, functionName: 'atLeast', data })
      expect(answer, `${a} * ${b} >= ${c} * ${d}`).toBe(a * b >= c * d)
    }
  })
})
