import { encodeAbiParameters, encodeFunctionData, keccak256, parseAbi, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBuild } from '../../../dev/chain/artifacts.ts'
import { readPreinstalls } from '../../../dev/chain/preinstalls.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { poolCodeHash } from '../../../dev/pools/pools.ts'

describe('Uniswap packages', () => {
  it('matches the pool creation code of Ethereum by hash', () => {
    const v2 = readBuild('@uniswap/v2-core/build/UniswapV2Pair.json')
    const v3 = readBuild('@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json')
    expect(keccak256(v2.bytecode)).toBe('0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f')
    expect(keccak256(v3.bytecode)).toBe('0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54')
    expect(poolCodeHash).toEqual({ v2: keccak256(v2.bytecode), v3: keccak256(v3.bytecode) })
  })
})

describe('preinstalled code', () => {
  it('matches Multicall3 and Permit2 on Ethereum by hash', () => {
    expect(readPreinstalls(1).map(({ bytecode }) => keccak256(bytecode))).toEqual([
      '0xd5c15df687b16f2ff992fc8d767b4216323184a2bbc6ee2f9c398c318e770891',
      '0xc67d1657868aa5146eaf24fb879fb1fdec3d2d493b3683a61c9c2f4fb2851131',
    ])
  })
})

describe.each([31337, 1, 8453])('canonical contracts on chain %i', (chainId) => {
  let localnet: Localnet
  beforeAll(async () => {
    localnet = await createLocalnet({ chainId })
  })
  afterAll(() => localnet.stop())

  it('has a Permit2 with the domain separator of this chain', async () => {
    const domain = keccak256(
      encodeAbiParameters(
        [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'uint256' }, { type: 'address' }],
        [
          keccak256(toHex('EIP712Domain(string name,uint256 chainId,address verifyingContract)')),
          keccak256(toHex('Permit2')),
          BigInt(chainId),
          '0x000000000022D473030F116dDEE9F6B43aC78BA3',
        ],
      ),
    )
    const read = await localnet.client.readContract({
      address: '0x000000000022D473030F116dDEE9F6B43aC78BA3',
      abi: parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)']),
      functionName: 'DOMAIN_SEPARATOR',
    })
    expect(read).toBe(domain)
    // Permit2 recomputes the separator when the chain id differs, so this checks its cache.
    const code = await localnet.client.getCode({ address: localnet.contracts.permit2 })
    expect(code).toContain(domain.slice(2))
    expect(code).toContain(toHex(chainId, { size: 32 }).slice(2))
  })

  it('has a Multicall3 that batches calls and lets some fail', async () => {
    const abi = parseAbi([
      'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
      'function getChainId() view returns (uint256)',
    ])
    const target = '0xcA11bde05977b3631167028862bE2a173976CA11'
    const { result } = await localnet.client.simulateContract({
      address: target,
      abi,
      functionName: 'aggregate3',
      args: [
        [
          { target, allowFailure: false, callData: encodeFunctionData({ abi, functionName: 'getChainId' }) },
          { target: localnet.contracts.router, allowFailure: true, callData: '0xdeadbeef' },
        ],
      ],
    })
    expect(result).toEqual([
      { success: true, returnData: toHex(chainId, { size: 32 }) },
      { success: false, returnData: '0x' },
    ])
  })
})
