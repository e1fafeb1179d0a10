import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Address, parseEther as ether, parseAbi, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { create2Deployer, routerAddress } from '../../contracts/create2.ts'
import { type DeployDeps, deployRouter, runDeploy } from '../../contracts/deploy.ts'
import { createLocalnet, type Localnet } from '../../dev/localnet.ts'
import { slow } from '../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let config: DeployDeps
let before: `0x${string}`
let folder: string
const key = generatePrivateKey()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deploy-'))
  localnet = await createLocalnet()
  const { vault, permit2 } = localnet.contracts
  config = { chainId: 31337, wrapped: localnet.tokens.WETH, permit2, vault }
  await localnet.client.setCode({ address: create2Deployer, bytecode: create2Code })
  await localnet.client.setBalance({ address: privateKeyToAddress(key), value: ether('1') })
})
beforeEach(async () => {
  before = await localnet.client.snapshot()
})
afterEach(() => localnet.client.revert({ id: before }))
afterAll(async () => {
  await localnet.stop()
  await rm(folder, { recursive: true })
})

/** Runtime code of github.com/Arachnid/deterministic-deployment-proxy. */
const create2Code =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'

describe('routerAddress', () => {
  const one: Address = '0x0000000000000000000000000000000000000001'

  it('derives a distinct address from each set of constructor arguments', () => {
    const { address, deployer, initCode } = routerAddress(config)
    expect(address).toMatch(/^0x[0-9a-f]{40}$/)
    expect(deployer).toBe(create2Deployer)
    expect(routerAddress({ ...config })).toEqual({
      address,
      deployer,
      initCode,
      salt: expect.any(String),
    })
    const others = (['wrapped', 'permit2', 'vault', 'poolManager', 'vaultV3'] as const).map(
      (name) => routerAddress({ ...config, [name]: one }).address,
    )
    expect(new Set([address, ...others]).size).toBe(6)
  })

  it('treats missing vaults and managers as the zero address', () => {
    const bound = { wrapped: one, permit2: one }
    const none = { vault: zeroAddress, poolManager: zeroAddress, vaultV3: zeroAddress }
    expect(routerAddress(bound)).toEqual(routerAddress({ ...bound, ...none }))
  })
})

describe('deployRouter', () => {
  it('deploys the configured router once, at the address of routerAddress', async () => {
    const { wrapped, permit2, vault, poolManager = zeroAddress, vaultV3 = zeroAddress } = config
    const { address } = routerAddress(config)
    expect(await deployRouter(config, localnet.rpcUrl, key)).toEqual({ address, state: 'deployed' })
    const abi = parseAbi([
      'function WETH() view returns (address)',
      'function PERMIT2() view returns (address)',
      'function VAULT() view returns (address)',
      'function POOL_MANAGER() view returns (address)',
      'function VAULT_V3() view returns (address)',
    ])
    const made = await Promise.all(
      (['WETH', 'PERMIT2', 'VAULT', 'POOL_MANAGER', 'VAULT_V3'] as const).map((functionName) =>
        localnet.client.readContract({ address, abi, functionName }),
      ),
    )
    expect(made.map((each) => each.toLowerCase())).toEqual([wrapped, permit2, vault, poolManager, vaultV3])
    const block = await localnet.client.getBlockNumber()
    expect(await deployRouter(config, localnet.rpcUrl, key)).toEqual({ address, state: 'present' })
    expect(await localnet.client.getBlockNumber()).toBe(block)
  })

  it('deploys without a vault when the chain has none', async () => {
    const { vault, ...without } = config
    expect(vault).toBeDefined()
    const { address } = await deployRouter(without, localnet.rpcUrl, key)
    expect(address).toBe(routerAddress(without).address)
  })

  it('rejects an RPC of another chain', async () => {
    await expect(deployRouter({ ...config, chainId: 1 }, localnet.rpcUrl, key)).rejects.toThrow(
      'The RPC is of chain 31337, not of chain 1.',
    )
  })

  it('rejects a chain without the CREATE2 deployer', async () => {
    await localnet.client.setCode({ address: create2Deployer, bytecode: '0x' })
    await expect(deployRouter(config, localnet.rpcUrl, key)).rejects.toThrow(
      /^Chain 31337 has no CREATE2 deployer at 0x4e59b44847b379578588920ca78fbf26c0b4956c\. /,
    )
  })

  it('rejects a configured contract that does not exist on the chain', async () => {
    const nowhere: Address = '0x000000000000000000000000000000000000dead'
    for (const name of ['wrapped', 'permit2', 'vault'] as const) {
      await expect(deployRouter({ ...config, [name]: nowhere }, localnet.rpcUrl, key)).rejects.toThrow(
        `Chain 31337 has no contract at ${nowhere}, which the config names as "${name}".`,
      )
    }
  })

  it('rejects an account that cannot pay', async () => {
    const poor = generatePrivateKey()
    await expect(deployRouter(config, localnet.rpcUrl, poor)).rejects.toThrow(
      /^0x[0-9a-fA-F]{40} has 0, and deploying costs about 0\.0\d+ of the native token \(\d+ gas at [\d.]+ gwei\)\.$/,
    )
  })

  it('tells the cost before it sends, and sends nothing for an estimate', async () => {
    const account = privateKeyToAddress(key)
    const lines: string[] = []
    const tell = (line: string) => void lines.push(line)
    const before = await localnet.client.getBalance({ address: account })
    const { address, state } = await deployRouter(config, localnet.rpcUrl, key, { tell, isEstimate: true })
    expect(state).toBe('absent')
    expect(await localnet.client.getCode({ address })).toBeUndefined()
    expect(await localnet.client.getBalance({ address: account })).toBe(before)

    await deployRouter(config, localnet.rpcUrl, key, { tell })
    expect(lines).toHaveLength(2)
    const [, costs = ''] = /costs about (0\.\d+) of the native token/.exec(lines[1] ?? '') ?? []
    const spent = before - (await localnet.client.getBalance({ address: account }))
    expect(spent).toBeLessThanOrEqual(ether(costs))
    expect(spent).toBeGreaterThan((ether(costs) * 7n) / 10n)
  })

  it('adds the fee for data on L1 where the chain has one', async () => {
    const lines: string[] = []
    const oracle = '0x420000000000000000000000000000000000000f'
    // Returns 5 gwei for every call.
    await localnet.client.setCode({ address: oracle, bytecode: '0x64012a05f2005f5260205ff3' })
    const options = { tell: (line: string) => void lines.push(line), isEstimate: true }
    await deployRouter(config, localnet.rpcUrl, key, options)
    expect(lines.join()).toContain('gwei, of which 0.000000005 for its data on L1)')
  })

  it('throws when other code is at the address of the router', async () => {
    const { address } = routerAddress(config)
    await localnet.client.setCode({ address, bytecode: '0x00' })
    await expect(deployRouter(config, localnet.rpcUrl, key)).rejects.toThrow(
      `The code at ${address} is not that of the compiled router.`,
    )
  })
})

describe('runDeploy', () => {
  async function run(args: string[]): Promise<string[]> {
    const lines: string[] = []
    await runDeploy(args, (line) => void lines.push(line))
    return lines
  }

  it('deploys and prints the address and the router of the config', async () => {
    const keyFile = await written('key', `${key}\n`)
    const args = ['--chain', '31337', '--rpc', localnet.rpcUrl, '--key-file', keyFile]
    const { address } = routerAddress(localnet.config)
    const named = `service/chains/31337.json names ${localnet.contracts.router} as "router": change it to ${address} to use this one.`
    const is = (verb: string) => `The router of chain 31337 ${verb} at ${address}; its code is right.`
    const costs = expect.stringMatching(new RegExp(`^Deploying to ${address} costs about 0\\.\\d+ `))
    expect(await run([...args, '--estimate'])).toEqual([costs, 'Nothing was sent.', named])
    expect(await run(args)).toEqual([costs, is('is'), named])
    expect(await run(args)).toEqual([is('was already'), named])
  })

  it('throws a descriptive sentence for each invalid argument', async () => {
    const keyFile = await written('bad', `${key.slice(0, -1)}g\n`)
    const good = ['--chain', '31337', '--rpc', localnet.rpcUrl]
    const bad = [...good, '--key-file', keyFile]
    const config = await written('config.json', '{')
    await expect(run(good)).rejects.toThrow(/^Usage: /)
    await expect(run(['--chain', 'one', ...bad.slice(2)])).rejects.toThrow(/^Usage: /)
    await expect(run(bad)).rejects.toThrow(`${keyFile} does not hold a private key: 64 hex digits.`)
    await expect(run([...bad, '--config', config])).rejects.toThrow(`${config} is not JSON.`)
    await expect(run(['--chain', '7', ...bad.slice(2)])).rejects.toThrow(
      'service/chains/7.json cannot be read (ENOENT).',
    )
    const other = await written('other.json', JSON.stringify({ ...localnet.config, chainId: 7 }))
    await expect(run([...bad, '--config', other])).rejects.toThrow(
      `${other} is the config of chain 7, not of --chain 31337.`,
    )
  })

  it('prints the usage and exits with code 1 when run without all arguments', async () => {
    const args = ['--import', 'tsx', 'contracts/deploy.ts', '--chain', '31337']
    const ran = promisify(execFile)(process.execPath, args)
    await expect(ran).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^Usage: .*\n$/) })
  })
})

async function written(name: string, text: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, text)
  return file
}
