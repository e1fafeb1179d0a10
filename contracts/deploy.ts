import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  BaseError,
  concat,
  createWalletClient,
  formatEther,
  formatGwei,
  type Hex,
  http,
  type PublicActions,
  parseAbi,
  publicActions,
  TransactionReceiptNotFoundError,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Address, type ChainConfig, parseConfig } from '../service/config.ts'
import { compileContracts } from './compile.ts'
import { type RouterArguments, routerAddress } from './create2.ts'

// Deploys the router of a chain's config at its CREATE2 address.
//
// npm run contracts:deploy -- --chain 1 --rpc URL --key-file FILE [--config FILE] [--estimate]

const usage = 'npm run contracts:deploy -- --chain ID --rpc URL --key-file FILE [--config FILE] [--estimate]'

/** Constructor arguments and chain. */
export type DeployDeps = RouterArguments & Pick<ChainConfig, 'chainId'>

export type DeployOptions = {
  /** Receives the cost before anything is sent. */
  tell?: (line: string) => void
  /** Tells the cost without sending. */
  isEstimate?: boolean
}

/**
 * Deploys the router unless present, and verifies its code. Throws before sending when the chain differs,
 * lacks a dependency, or the account cannot pay; afterwards when other code is at the address.
 */
export async function deployRouter(
  { chainId, ...config }: DeployDeps,
  rpcUrl: string,
  key: Hex,
  { tell = () => {}, isEstimate = false }: DeployOptions = {},
): Promise<{ address: Address; state: 'deployed' | 'present' | 'absent' }> {
  const account = privateKeyToAccount(key)
  const transport = http(rpcUrl)
  const client = createWalletClient({ account, transport }).extend(publicActions)
  const stands = async (address: Address) => (await client.getCode({ address })) !== undefined

  const found = await client.getChainId()
  if (found !== chainId) throw new Error(`The RPC is of chain ${found}, not of chain ${chainId}.`)
  const { wrapped, permit2, vault, poolManager, vaultV3 } = config
  const bound = { wrapped, permit2, vault, poolManager, vaultV3 }
  const { address, deployer, salt, initCode } = routerAddress(config)
  const verify = async () => {
    // The creation returns the runtime code.
    const [{ data: expected }, code] = await Promise.all([
      client.call({ data: initCode }),
      client.getCode({ address }),
    ])
    if (expected !== undefined && code === expected) return
    throw new Error(`The code at ${address} is not that of the compiled router.`)
  }
  if (await stands(address)) {
    await verify()
    return { address, state: 'present' }
  }
  if (!(await stands(deployer))) {
    const how = 'Put it there first: github.com/Arachnid/deterministic-deployment-proxy'
    throw new Error(`Chain ${chainId} has no CREATE2 deployer at ${deployer}. ${how}`)
  }
  for (const [name, needed] of Object.entries(bound)) {
    if (needed === undefined || (await stands(needed))) continue
    throw new Error(`Chain ${chainId} has no contract at ${needed}, which the config names as "${name}".`)
  }

  const request = { account, to: deployer, data: concat([salt, initCode]) }
  const [gas, price, balance, dataFee] = await Promise.all([
    client.estimateGas(request),
    client.getGasPrice(),
    client.getBalance(account),
    readDataFee(client, request.data),
  ])
  const cost = gas * price + dataFee
  const data = dataFee === 0n ? '' : `, of which ${formatEther(dataFee)} for its data on L1`
  const costs = `${formatEther(cost)} of the native token (${gas} gas at ${formatGwei(price)} gwei${data})`
  if (balance < cost) {
    throw new Error(`${account.address} has ${formatEther(balance)}, and deploying costs about ${costs}.`)
  }
  tell(`Deploying to ${address} costs about ${costs}; ${account.address} has ${formatEther(balance)}.`)
  if (isEstimate) return { address, state: 'absent' }
  const hash = await client.sendTransaction({ ...request, gas, chain: null })
  await mined(client, hash)
  if (!(await stands(address))) throw new Error(`Transaction ${hash} left nothing at ${address}.`)
  await verify()
  return { address, state: 'deployed' }
}

const gasPriceOracle: Address = '0x420000000000000000000000000000000000000f'

/** L1 data fee in wei of chains of the OP stack (specs.optimism.io, predeploys); 0n of others. */
async function readDataFee(
  client: Pick<PublicActions, 'getCode' | 'readContract'>,
  data: Hex,
): Promise<bigint> {
  if ((await client.getCode({ address: gasPriceOracle })) === undefined) return 0n
  return client.readContract({
    address: gasPriceOracle,
    abi: parseAbi(['function getL1Fee(bytes data) view returns (uint256)']),
    functionName: 'getL1Fee',
    args: [data],
  })
}

/** viem's wait may miss an earlier block. */
async function mined(client: Pick<PublicActions, 'getTransactionReceipt'>, hash: Hex): Promise<void> {
  for (let looks = 0; looks < 360; looks++) {
    const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error
    })
    if (receipt !== undefined) return
    await sleep(500)
  }
  throw new Error(`Transaction ${hash} was not mined in three minutes.`)
}

/** Runs the command; `tell` receives its output lines. */
export async function runDeploy(args: string[], tell: (line: string) => void): Promise<void> {
  const { chainId, rpcUrl, keyFile, configFile, isEstimate } = readArguments(args)
  const config = readConfig(await readText(configFile), configFile)
  if (config.chainId !== chainId) {
    throw new Error(`${configFile} is the config of chain ${config.chainId}, not of --chain ${chainId}.`)
  }
  const key = readKey(await readText(keyFile), keyFile)
  await compileContracts()
  const { address, state } = await deployRouter(config, rpcUrl, key, { tell, isEstimate })
  if (state === 'absent') tell('Nothing was sent.')
  if (state === 'present')
    tell(`The router of chain ${chainId} was already at ${address}; its code is right.`)
  if (state === 'deployed') tell(`The router of chain ${chainId} is at ${address}; its code is right.`)
  if (config.router !== address)
    tell(`${configFile} names ${config.router} as "router": change it to ${address} to use this one.`)
}

function readArguments(args: string[]) {
  const text = { type: 'string' } as const
  const isGiven = { type: 'boolean', default: false } as const
  const options = { chain: text, rpc: text, 'key-file': text, config: text, estimate: isGiven }
  const { values } = parseArgs({ args, options })
  const { chain = '', rpc: rpcUrl, 'key-file': keyFile, config, estimate: isEstimate } = values
  if (!rpcUrl || !keyFile || !/^[1-9]\d{0,14}$/.test(chain)) throw new Error(`Usage: ${usage}`)
  const configFile = config ?? `service/chains/${chain}.json`
  return { chainId: Number(chain), rpcUrl, keyFile, configFile, isEstimate }
}

function readConfig(text: string, file: string): ChainConfig {
  try {
    return parseConfig(JSON.parse(text), file)
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new Error(`${file} is not JSON.`, { cause })
    throw cause
  }
}

/** Errors must not contain the key. */
function readKey(text: string, file: string): Hex {
  try {
    const key = text.trim().replace(/^(0x)?/, '0x') as Hex
    privateKeyToAccount(key)
    return key
  } catch {
    throw new Error(`${file} does not hold a private key: 64 hex digits.`)
  }
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be read (${cause.code}).`, { cause })
  })
}

/** viem's long messages contain the RPC's URL, which may hold a key. */
function sentenceOf(error: unknown): string {
  if (error instanceof BaseError) return `The node at --rpc failed: ${error.shortMessage}`
  return error instanceof Error ? error.message : String(error)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runDeploy(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`)).catch(
    (error: unknown) => {
      process.exitCode = 1
      process.stderr.write(`${sentenceOf(error)}\n`)
    },
  )
}
