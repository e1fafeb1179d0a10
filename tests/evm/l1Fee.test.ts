import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Artifact } from '../../contracts/artifact.ts'
import { createLocalnet, type Localnet } from '../../dev/localnet.ts'
import type { Network } from '../../src/domain/network/network.ts'
import { type Chain, createChain } from '../../src/evm/client.ts'
import { localNetwork } from '../helpers/node/localNetwork.ts'
import { compileFile } from './contracts/compiled.ts'

const oracle = '0x420000000000000000000000000000000000000F'

let localnet: Localnet
let network: Network
let rollup: Chain
let artifacts: Record<'Oracle' | 'OldOracle', Artifact>

beforeAll(async () => {
  localnet = await createLocalnet()
  network = localNetwork(localnet)
  rollup = createChain({ ...network, rollup: 'op' })
  artifacts = await compileFile('Oracles.sol', ['Oracle', 'OldOracle'])
})
afterAll(() => localnet?.stop())

describe('l1Fee', () => {
  it('returns zero without a request on a chain that is not a rollup', async () => {
    const chain = createChain(network, { fetch: () => expect.fail('asks') })
    expect(await chain.l1Fee(500)).toBe(0n)
  })

  it('adds a quarter to the oracle’s upper bound, rounded up', async () => {
    await localnet.client.setCode({ address: oracle, bytecode: artifacts.Oracle.deployedBytecode })
    expect(await rollup.l1Fee(400)).toBe(500_500n)
    expect(await rollup.l1Fee(1)).toBe(1_252n)
  })

  it('prices all bytes as non-zero when the oracle has no upper bound', async () => {
    await localnet.client.setCode({ address: oracle, bytecode: artifacts.OldOracle.deployedBytecode })
    expect(await rollup.l1Fee(400)).toBe(8_000n)
  })

  it('throws instead of returning zero when the oracle does not respond', async () => {
    await localnet.client.setCode({ address: oracle, bytecode: '0x' })
    await expect(rollup.l1Fee(400)).rejects.toMatchObject({ code: 'node-refused' })
  })
})
