import { expect, it } from 'vitest'
import { parseArguments, usage } from '../../service/arguments.ts'

const needed = ['--chain', '31337', '--rpc', 'http://127.0.0.1:8545']

it('fills in port, host and the config of the chain', () => {
  expect(parseArguments(needed)).toEqual({
    chainId: 31337,
    rpcUrl: 'http://127.0.0.1:8545',
    port: 8787,
    host: '127.0.0.1',
    configFile: 'service/chains/31337.json',
  })
})

it('takes what is given instead', () => {
  const given = ['--port', '0', '--host', '::', '--config', 'mine.json', '--keys', 'keys.txt']
  expect(parseArguments([...needed, ...given])).toMatchObject({
    port: 0,
    host: '::',
    configFile: 'mine.json',
    keysFile: 'keys.txt',
  })
})

it.each([
  [[], `--chain is missing. Usage: ${usage}`],
  [['--chain', '1'], `--rpc is missing. Usage: ${usage}`],
  [['--chain', 'main', '--rpc', 'http://x'], '--chain must be a chain\'s number, it is "main".'],
  [['--chain', '../1', '--rpc', 'http://x'], '--chain must be a chain\'s number, it is "../1".'],
  [['--chain', '1', '--rpc', 'ws://x?key=secret'], '--rpc must be the http or https URL of an EVM node.'],
  [[...needed, '--port', '65536'], '--port must be from 0 to 65535, it is "65536".'],
  [[...needed, '--port', '-1'], `Option '--port' argument is ambiguous. Usage: ${usage}`],
  [[...needed, '--host', ''], '--host must not be empty.'],
  [[...needed, '--verbose'], `Unknown option '--verbose'. Usage: ${usage}`],
  [[...needed, 'more'], `Unexpected argument 'more'. Usage: ${usage}`],
])('explains %j', (args, sentence) => {
  expect(() => parseArguments(args)).toThrow(new Error(sentence))
})
