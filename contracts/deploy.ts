import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  BaseError,
  concat,
  createWalletClient,
  formatEther,
  type Hex,
  http,
  type PublicActions,
  publicActions,
  TransactionReceiptNotFoundError,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Address, type ChainConfig, parseConfig } from '../service/config.ts'
import { compileContracts } from './compile.ts'
import { routerAddress } from './create2.ts'

// Deploys the router of a chain's config at its CREATE2 address.
//
// npm run contracts:deploy -- --chain 1 --rpc URL --key-file FILE [--config FILE]

const usage = 'npm run contracts:deploy -- --chain ID --rpc URL --key-file FILE [--config FILE]'

/** Constructor arguments and chain. */
export type DeployDeps = Pick<ChainConfig, 'chainId' | 'wrapped' | 'permit2' | 'vault'>

/**
 * Deploys the router unless present. Throws before sending when the chain differs, lacks a dependency, or the
 * account cannot pay.
 */
export async function deployRouter(
  { chainId, wrapped, permit2, vault }: DeployDeps,
  rpcUrl: string,
  key: Hex,
): Promise<{ address: Address; isNew: boolean }> {
  const account = privateKeyToAccount(key)
  const transport = http(rpcUrl)
  const client = createWalletClient({ account, transport }).extend(publicActions)
  const stands = async (address: Address) => (await client.getCode({ address })) !== undefined

  const found = await client.getChainId()
  if (found !== chainId) throw new Error(`The node at --rpc is of chain ${found}, not of chain ${chainId}.`)
  const { address, deployer, salt, initCode } = routerAddress(wrapped, permit2, vault)
  if (await stands(address)) return { address, isNew: false }
  if (!(await stands(deployer))) {
    const how = 'Put it there first: github.com/Arachnid/deterministic-deployment-proxy'
    throw new Error(`Chain ${chainId} has no CREATE2 deployer at ${deployer}. ${how}`)
  }
  for (const [name, needed] of Object.entries({ wrapped, permit2, ...(vault ? { vault } : {}) })) {
    if (await stands(needed)) continue
    throw new Error(`Chain ${chainId} has no contract at ${needed}, which the config names as "${name}".`)
  }

  const request = { account, to: deployer, data: concat([salt, initCode]) }
  const gas = await client.estimateGas(request)
  const balance = await client.getBalance(account)
  const cost = gas * (await client.getGasPrice())
  if (balance < cost) {
    const has = `${account.address} has ${formatEther(balance)} of the chain's coin`
    throw new Error(`${has}, and deploying costs about ${formatEther(cost)}.`)
  }
  const hash = await client.sendTransaction({ ...request, gas, chain: null })
  await mined(client, hash)
  if (!(await stands(address))) throw new Error(`Transaction ${hash} left nothing at ${address}.`)
  return { address, isNew: true }
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

/** Runs the command and returns its output lines. */
export async function runDeploy(args: string[]): Promise<string[]> {
  const { chainId, rpcUrl, keyFile, configFile } = readArguments(args)
  const config = readConfig(await readText(configFile), configFile)
  if (config.chainId !== chainId) {
    throw new Error(`${configFile} is the config of chain ${config.chainId}, not of --chain ${chainId}.`)
  }
  const key = readKey(await readText(keyFile), keyFile)
  await compileContracts()
  const { address, isNew } = await deployRouter(config, rpcUrl, key)
  const told = isNew
    ? `The router of chain ${chainId} stands at ${address}.`
    : `It stood there already: ${address}.`
  return config.router === address ? [told] : [told, `${configFile} names ${config.router} as "router".`]
}

function readArguments(args: string[]) {
  const text = { type: 'string' } as const
  const options = { chain: text, rpc: text, 'key-file': text, config: text }
  const { values } = parseArgs({ args, options })
  const { chain = '', rpc: rpcUrl, 'key-file': keyFile, config } = values
  if (!rpcUrl || !keyFile || !/^[1-9]\d{0,14}$/.test(chain)) throw new Error(`Usage: ${usage}`)
  return { chainId: Number(chain), rpcUrl, keyFile, configFile: config ?? `service/chains/${chain}.json` }
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
  const told = await runDeploy(process.argv.slice(2)).catch((error: unknown) => {
    process.exitCode = 1
    return [sentenceOf(error)]
  })
  process[process.exitCode ? 'stderr' : 'stdout'].write(`${told.join('\n')}\n`)
}
