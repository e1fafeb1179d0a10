import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readArtifact } from '../../../contracts/artifact.ts'
import { type Anvil, startAnvil } from '../../../dev/chain/anvil.ts'
import type { Network } from '../../../src/domain/network/network.ts'
import type { Hex } from '../../../src/domain/token/token.ts'
import { createChain } from '../../../src/evm/client.ts'
import { toBlockContexts } from '../../../src/evm/simulation/blockContext.ts'
import { parseWitnessed, type RealBlock, witnessCode } from '../../../src/evm/simulation/witness.ts'
import { localNetwork } from '../../helpers/node/localNetwork.ts'

const hash = (byte: string): Hex => `0x${byte.repeat(32)}`

describe('witness', () => {
  it('matches the compiled Witness.sol', () => {
    expect(witnessCode).toBe(readArtifact('Witness').deployedBytecode)
  })

  it('rejects a response of another length', () => {
    expect(parseWitnessed('0x')).toBeUndefined()
    expect(parseWitnessed(hash('11'))).toBeUndefined()
  })

  it('rejects a fee recipient that is not an address', () => {
    const words = (recipient: bigint): Hex =>
      `0x${Array.from({ length: 17 }, (_, at) => (at === 2 ? recipient : 1n).toString(16).padStart(64, '0')).join('')}`
    expect(parseWitnessed(words(2n ** 160n - 1n))?.feeRecipient).toBe(2n ** 160n - 1n)
    expect(parseWitnessed(words(2n ** 160n))).toBeUndefined()
  })
})

describe('toBlockContexts', () => {
  const header = {
    number: 100n,
    timestamp: 1_000,
    gasLimit: 60_000_000n,
    miner: '0x4200000000000000000000000000000000000011',
    hash: hash('0a'),
    parentHash: hash('0b'),
    mixHash: hash('0c'),
    difficulty: 0n,
    parentBeaconBlockRoot: hash('0d'),
  } as const
  const seen = {
    number: 100n,
    prevRandao: BigInt(hash('0c')),
    feeRecipient: BigInt(header.miner),
    time: 1_000n,
    gasLimit: 60_000_000n,
    chainId: 1n,
    parentHash: BigInt(hash('0b')),
    baseFee: 0n,
    blobBaseFee: 1n,
    beaconRoot: BigInt(hash('0d')),
    history: BigInt(hash('0b')),
  }
  const real: RealBlock = { header, seen, hasBeaconRoots: true, hasHistory: true }
  const fees = { baseFeePerGas: 7n, blobBaseFee: 16n }
  const contextsOf = (chainId: number, block: RealBlock | undefined, next = fees) =>
    toBlockContexts(header, next, { chainId, nowMs: 1_001_000, real: block }).contexts

  // Contracts can store the L1 block's values for its later L2 blocks.
  it('keeps the randomness and beacon root of the L1 block in one of two contexts of a rollup', () => {
    for (const chainId of [10, 8453]) {
      const [one, other] = contextsOf(chainId, real)
      expect(one.overrides).toMatchObject({ prevRandao: hash('0c'), beaconRoot: hash('0d') })
      expect(other.overrides.prevRandao).not.toBe(hash('0c'))
      expect(other.overrides.beaconRoot).not.toBe(hash('0d'))
    }
    const [ethereum] = contextsOf(1, real)
    expect(ethereum.overrides.prevRandao).not.toBe(hash('0c'))
    expect(ethereum.overrides.beaconRoot).not.toBe(hash('0d'))
  })

  it('writes the state that the system calls of the next block leave', () => {
    const [{ overrides, systemState }] = contextsOf(1, real)
    const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`
    const time = Number(overrides.time)
    expect(systemState).toEqual({
      '0x000f3df6d732807ef1319fb7b8bb8522d0beac02': {
        stateDiff: {
          [word(time % 8_191)]: word(time),
          [word((time % 8_191) + 8_191)]: overrides.beaconRoot,
        },
      },
      '0x0000f90827f1c53a10cb7a02335b175320002935': { stateDiff: { [word(100)]: hash('0a') } },
    })
  })

  it.each([
    ['has none of them in its blocks', { ...seen, beaconRoot: undefined, history: 0n }, true],
    ['has contracts of another code', seen, false],
  ])('writes to no system contract of a chain that %s', (_how, block, isKnown) => {
    const other = { header, seen: block, hasBeaconRoots: isKnown, hasHistory: isKnown }
    for (const { systemState } of contextsOf(1, other)) expect(systemState).toEqual({})
    for (const { systemState } of contextsOf(1, undefined)) expect(systemState).toEqual({})
  })

  it('uses the fee recipient of real blocks when their headers name another', () => {
    const validator = '0x000000000000000000000000000000000000beef'
    const [one] = contextsOf(137, { ...real, seen: { ...seen, feeRecipient: BigInt(validator) } })
    expect(one.overrides.feeRecipient).toBe(validator)
  })

  it('does not override the blob base fee on a chain without blobs', () => {
    const without = { ...real, seen: { ...seen, blobBaseFee: undefined } }
    for (const { overrides } of contextsOf(1, without)) expect(overrides).not.toHaveProperty('blobBaseFee')
    for (const { overrides } of contextsOf(1, real, { ...fees, blobBaseFee: 0n })) {
      expect(overrides).not.toHaveProperty('blobBaseFee')
    }
  })

  it.each([
    ['number', { number: 100n }],
    ['time', { time: 1_000n }],
    ['gas limit', { gasLimit: 50_000_000n }],
    ['fee recipient', { feeRecipient: 0n }],
    ['randomness', { prevRandao: 0n }],
    ['base fee', { baseFee: 0n }],
    ['blob base fee', { blobBaseFee: 1n }],
    ['lack of a blob base fee', { blobBaseFee: undefined }],
    ['chain id', { chainId: 31337n }],
    ["parent's hash", { parentHash: 0n }],
    ['beacon root', { beaconRoot: 0n }],
    ['lack of a beacon root', { beaconRoot: undefined }],
    ['history', { history: 0n }],
  ])('detects a deviation from the requested context: %s', (_field, wrong) => {
    const [{ overrides, isHeld }] = contextsOf(1, real)
    const right = {
      number: 101n,
      prevRandao: BigInt(overrides.prevRandao ?? 0),
      feeRecipient: BigInt(header.miner),
      time: BigInt(overrides.time ?? 0),
      gasLimit: 60_000_000n,
      chainId: 1n,
      parentHash: BigInt(hash('0a')),
      baseFee: 7n,
      blobBaseFee: 16n,
      beaconRoot: BigInt(overrides.beaconRoot ?? 0),
      history: BigInt(hash('0a')),
    }
    expect(isHeld(right)).toBe(true)
    expect(isHeld({ ...right, ...wrong })).toBe(false)
  })
})

describe('chains before Cancun', () => {
  let anvil: Anvil
  beforeAll(async () => {
    anvil = await startAnvil({ chainId: 31337, port: 0, hardfork: 'shanghai' })
  })
  afterAll(() => anvil?.stop())

  it('trusts a simulation without blobs and system contracts', async () => {
    const network: Network = localNetwork({ chainId: 31337, rpcUrl: anvil.rpcUrl })
    const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
    const to = '0x00000000000000000000000000000000c0ffee00'
    const { simulation } = await createChain(network).simulate(from, [{ to, data: '0x', value: 5n }])
    expect(simulation).toMatchObject({ status: 'succeeds', changes: [{ amount: -5n }] })
    expect(simulation).not.toHaveProperty('isWeak')
  })
})
