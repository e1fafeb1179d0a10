import { parseArgs } from 'node:util'

/** How the service is started, as typed. */
export type Arguments = {
  chainId: number
  rpcUrl: string
  port: number
  host: string
  configFile: string
  keysFile?: string
}

export const usage =
  'npm run service -- --chain ID --rpc URL [--port 8787] [--host 127.0.0.1] [--config FILE] [--keys FILE]'

/** Reads the command line. Throws an Error whose message is one clear sentence about the first fault. */
export function parseArguments(args: string[]): Arguments {
  const { values } = readOptions(args)
  const chain = required(values.chain, 'chain')
  const rpcUrl = required(values.rpc, 'rpc')
  const { port = '8787', host = '127.0.0.1', config = `service/chains/${chain}.json`, keys } = values
  if (!/^[1-9]\d{0,14}$/.test(chain)) throw new Error(`--chain must be a chain's number, it is "${chain}".`)
  // The URL itself often holds a key, so it is not repeated.
  if (!isHttpUrl(rpcUrl)) throw new Error('--rpc must be the http or https URL of an EVM node.')
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new Error(`--port must be from 0 to 65535, it is "${port}".`)
  }
  if (host === '') throw new Error('--host must not be empty.')
  return {
    chainId: Number(chain),
    rpcUrl,
    port: Number(port),
    host,
    configFile: config,
    ...(keys === undefined ? {} : { keysFile: keys }),
  }
}

function readOptions(args: string[]) {
  const text = { type: 'string' } as const
  const options = { chain: text, rpc: text, port: text, host: text, config: text, keys: text }
  try {
    return parseArgs({ args, options, allowPositionals: false })
  } catch (error) {
    // Of Node's sentences the first names the fault; the rest are hints about its own syntax.
    const [first] = (error as Error).message.split(/\.\s/)
    throw new Error(`${first}. Usage: ${usage}`, { cause: error })
  }
}

function required(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new Error(`--${name} is missing. Usage: ${usage}`)
  return value
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
