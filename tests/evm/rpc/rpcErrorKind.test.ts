import { describe, expect, it } from 'vitest'
import { parseErrorObject } from '../../../src/evm/rpc/errorObject.ts'
import { parseRpcError } from '../../../src/evm/rpc/rpcError.ts'
import { type RpcErrorKind, rpcErrorKind } from '../../../src/evm/rpc/rpcErrorKind.ts'

/** Error("too late"). */
const tooLate = `0x08c379a0${'20'.padStart(64, '0')}${'8'.padStart(64, '0')}${'746f6f206c617465'.padEnd(64, '0')}`

const hash = `0x${'5a'.repeat(32)}`

const errors: Record<Exclude<RpcErrorKind, 'other'>, [string, object][]> = {
  revert: [
    ['geth', { code: 3, message: 'execution reverted: too late', data: tooLate }],
    ['geth before 1.15', { code: -32000, message: 'execution reverted' }],
    ['Erigon', { code: -32000, message: 'execution reverted' }],
    ['Besu', { code: -32000, message: 'Execution reverted (too late)', data: tooLate }],
    ['Besu', { code: -32000, message: 'Transaction processing could not be completed due to an exception' }],
    ['Nethermind', { code: -32015, message: 'VM execution error.', data: 'revert' }],
    ['Nethermind', { code: -32015, message: 'BadInstruction' }],
    ['OpenEthereum', { code: -32015, message: 'VM execution error.', data: `Reverted ${tooLate}` }],
    ['OpenEthereum', { code: -32015, message: 'VM execution error.', data: 'Bad instruction fe' }],
    ['Anvil', { code: -32603, message: 'EVM error InvalidFEOpcode' }],
    [
      'Hardhat',
      { code: -32603, message: 'Error: VM Exception while processing transaction: invalid opcode' },
    ],
    ['geth', { code: -32000, message: 'stack limit reached 1024 (1023)' }],
    ['geth', { code: -32000, message: 'gas required exceeds allowance (30000000)' }],
    [
      'a proxy, without data',
      { code: -32603, message: 'Internal JSON-RPC error.', data: { originalError: { code: 3, data: '0x' } } },
    ],
    ['a proxy without words', { code: -32603, message: 'Internal error', data: tooLate }],
    ['a contract that speaks of limits', { code: 3, message: 'execution reverted: rate limit exceeded' }],
    ['a contract that speaks of funds', { code: 3, message: 'execution reverted: insufficient funds' }],
    ['the same of Hardhat', { code: -32603, message: "reverted with reason string 'Too many requests'" }],
    ['the same of Nethermind', { code: -32015, message: 'revert: quota exceeded' }],
  ],
  unaffordable: [
    ['geth', { code: -32000, message: 'insufficient funds for gas * price + value: balance 0, tx cost 5' }],
    ['geth', { code: -32000, message: 'insufficient funds for transfer' }],
    ['geth', { code: -32000, message: 'insufficient balance for transfer' }],
    [
      'op-geth',
      { code: -32000, message: 'insufficient funds for l1Cost + gas * price + value: have 0 want 5' },
    ],
    ['Erigon', { code: -32000, message: 'INTERNAL_ERROR: insufficient funds' }],
    ['Reth', { code: -32003, message: 'insufficient funds for gas * price + value: have 0 want 5' }],
    ['Anvil', { code: -32003, message: 'Insufficient funds for gas * price + value' }],
    [
      'Anvil',
      { code: -32603, message: 'EVM error; transaction validation error: lack of funds (0) for max fee (5)' },
    ],
    ['Besu', { code: -32004, message: 'Upfront cost exceeds account balance' }],
    [
      'Besu',
      {
        code: -32004,
        message: 'Upfront cost exceeds account balance',
        data: 'transaction up-front cost 0x5 exceeds transaction sender account balance 0x0',
      },
    ],
    ['Nethermind', { code: -32010, message: 'InsufficientFunds, Account balance: 0, cumulative cost: 5' }],
    [
      'Nethermind',
      { code: -32010, message: 'InsufficientFunds, Balance is 0 less than sending value + gas 5' },
    ],
    ['Nethermind', { code: -32015, message: 'insufficient sender balance' }],
    [
      'OpenEthereum',
      {
        code: -32010,
        message:
          'Insufficient funds. The account you tried to send transaction from does not have enough funds. Required 5 and got: 0.',
      },
    ],
    [
      'Hardhat',
      {
        code: -32000,
        message:
          "Sender doesn't have enough funds to send tx. The max upfront cost is: 5 and the sender's balance is: 0.",
      },
    ],
    ['Ethermint', { code: -32000, message: 'sender balance < tx cost (0 < 5): insufficient funds' }],
    [
      'Ethermint',
      { code: -32000, message: 'failed to check sender balance: sender balance < tx cost (0 < 5)' },
    ],
    [
      'Ethermint',
      { code: -32000, message: 'spendable balance 0aevmos is smaller than 5aevmos: insufficient funds' },
    ],
    ['Arbitrum', { code: -32000, message: 'not enough funds for gas' }],
    [
      'a proxy',
      {
        code: -32603,
        message: 'Internal JSON-RPC error.',
        data: { code: -32000, message: 'insufficient funds for transfer' },
      },
    ],
    ['Monad', { code: -32603, message: 'Signer had insufficient balance' }],
    [
      'Substrate',
      {
        code: -32603,
        message: 'submit transaction to pool failed: InvalidTransaction(InvalidTransaction::Payment)',
      },
    ],
    ['Substrate', { code: 1010, message: 'submit transaction to pool failed: Pool(Invalid(Payment))' }],
    ['Frontier', { code: -32603, message: 'evm error: OutOfFund' }],
    ['Filecoin', { code: -32000, message: 'not enough cash' }],
    ['a node', { code: -32000, message: 'insufficient fund' }],
    ['a node', { code: -32000, message: 'the sender account balance is insufficient' }],
    ['geth, of an empty account', { code: -32000, message: 'gas required exceeds allowance (0)' }],
  ],
  'nonce-used': [
    ['geth', { code: -32000, message: 'nonce too low: next nonce 5, tx nonce 4' }],
    ['Erigon', { code: -32000, message: 'INTERNAL_ERROR: nonce too low' }],
    ['Reth', { code: -32003, message: 'nonce too low: next nonce 5, tx nonce 4' }],
    ['Anvil', { code: -32003, message: 'nonce too low' }],
    ['Besu', { code: -32001, message: 'Nonce too low' }],
    ['Besu', { code: -32001, message: 'transaction nonce 4 below sender account nonce 5' }],
    ['Nethermind', { code: -32010, message: 'OldNonce, Current nonce: 5, nonce of rejected tx: 4' }],
    ['OpenEthereum', { code: -32010, message: 'Transaction nonce is too low. Try incrementing the nonce.' }],
    [
      'Hardhat',
      {
        code: -32000,
        message:
          "Nonce too low. Expected nonce to be 5 but got 4. Note that transactions can't be queued when automining.",
      },
    ],
    ['Ethermint', { code: -32000, message: 'invalid nonce; got 4, expected 5: invalid sequence' }],
    ['Ethermint', { code: -32000, message: 'invalid nonce; got 4, should be expected 5 or higher' }],
    [
      'Cosmos',
      { code: -32000, message: 'account sequence mismatch, expected 5, got 4: incorrect account sequence' },
    ],
    [
      'Ganache',
      {
        code: -32000,
        message: "the tx doesn't have the correct nonce. account has nonce of: 5 tx has nonce of: 4",
      },
    ],
    ['Substrate', { code: 1010, message: 'submit transaction to pool failed: Pool(Stale)' }],
    ['a node', { code: -32000, message: 'tx nonce (4) is lower than the current account nonce (5)' }],
    ['a node', { code: -32000, message: 'nonce 4 too low' }],
    ['a node', { code: -32000, message: 'Nonce too small' }],
    ['a node', { code: -32000, message: 'Invalid nonce: 4. Expected 5' }],
    ['Filecoin', { code: -32000, message: 'message nonce 4 less than minimum expected nonce 5' }],
  ],
  known: [
    ['geth', { code: -32000, message: 'already known' }],
    ['geth before', { code: -32000, message: `known transaction: ${hash}` }],
    ['Erigon', { code: -32000, message: 'ALREADY_EXISTS: already known' }],
    ['Reth', { code: -32000, message: 'already known', data: hash }],
    ['Anvil', { code: -32003, message: 'transaction already imported' }],
    ['Besu', { code: -32000, message: 'Known transaction' }],
    ['Nethermind', { code: -32010, message: 'AlreadyKnown' }],
    ['OpenEthereum', { code: -32010, message: 'Transaction with the same hash was already imported.' }],
    ['Hardhat', { code: -32000, message: `Known transaction: ${hash}` }],
    ['Ethermint', { code: -32000, message: 'tx already in mempool' }],
    ['Sei', { code: -32000, message: 'tx already exists in cache' }],
    ['a node', { code: -32000, message: 'transaction already received' }],
    ['a node', { code: -32000, message: 'duplicate transaction' }],
    ['Substrate', { code: 1013, message: 'submit transaction to pool failed: Pool(AlreadyImported(Any))' }],
  ],
  underpriced: [
    ['geth', { code: -32000, message: 'replacement transaction underpriced' }],
    ['Besu', { code: -32000, message: 'Replacement transaction underpriced' }],
    ['Nethermind', { code: -32010, message: 'ReplacementNotAllowed, Existing tx: 5' }],
    [
      'OpenEthereum',
      {
        code: -32010,
        message:
          'Transaction gas price 5wei is too low. There is another transaction with same nonce in the queue with gas price 6wei.',
      },
    ],
    [
      'Hardhat',
      {
        code: -32000,
        message:
          'Replacement transaction underpriced. A gasPrice/maxFeePerGas of at least 6 is necessary to replace the existing transaction with nonce 4.',
      },
    ],
    ['Kaia', { code: -32000, message: 'there is another tx which has the same nonce in the tx pool' }],
    ['a node', { code: -32000, message: 'transaction with the same nonce already exists' }],
    ['Erigon', { code: -32000, message: 'INTERNAL_ERROR: could not replace existing tx' }],
    ['a node', { code: -32000, message: 'replacement fee too low' }],
    ['a node', { code: -32000, message: 'gas price too low to replace existing transaction' }],
    [
      'Filecoin',
      {
        code: -32000,
        message: 'message with nonce 5 already in mpool, increase GasPremium to 9 from 5 to trigger replace',
      },
    ],
    [
      'Substrate',
      { code: -32603, message: 'submit transaction to pool failed: Pool(TooLowPriority { old: 1, new: 0 })' },
    ],
  ],
  'lost-block': [
    ['geth', { code: -32000, message: 'header not found' }],
    ['Anvil', { code: -32602, message: 'BlockOutOfRangeError: block height is 463 but requested was 465' }],
    ['Besu', { code: -39001, message: 'Unknown block' }],
    ['proxyd', { code: -32019, message: 'block is out of range' }],
    ['Erigon', { code: -32000, message: 'block 0x12ab not found' }],
    ['a node', { code: -32001, message: 'Block not found' }],
    ['a node', { code: -32000, message: 'block #19000001 not found' }],
    ['a node', { code: -32000, message: 'cannot find block by hash' }],
    [
      'a proxy',
      { code: -32603, message: 'Internal error', data: { code: -32000, message: 'header not found' } },
    ],
  ],
  unsupported: [
    ['JSON-RPC 2.0', { code: -32601, message: 'Method not found' }],
    ['geth', { code: -32601, message: 'the method eth_simulateV1 does not exist/is not available' }],
    ['proxyd', { code: -32001, message: 'rpc method is not whitelisted' }],
    ['Besu', { code: -32604, message: 'Method not enabled' }],
    ['dRPC', { code: 35, message: 'method is not available on freetier, please upgrade to paid tier' }],
    ['Alchemy', { code: -32600, message: 'eth_simulateV1 is not included in your current plan' }],
    ['Ganache', { code: -32000, message: 'Method eth_simulateV1 not supported.' }],
  ],
  limit: [
    ['EIP-1474', { code: -32005, message: 'limit exceeded' }],
    ['Infura', { code: -32005, message: 'daily request count exceeded, request rate limited' }],
    [
      'Infura',
      { code: -32005, message: 'project ID request rate exceeded', data: { rate: { backoff_seconds: 30 } } },
    ],
    ['proxyd', { code: -32016, message: 'over rate limit' }],
    ['proxyd', { code: -32017, message: 'sender is over rate limit' }],
    ['proxyd', { code: -32012, message: 'backend is over capacity' }],
    [
      'proxyd behind another',
      {
        code: -32000,
        message:
          '429 Too Many Requests: {"jsonrpc":"2.0","error":{"code":-32016,"message":"over rate limit"}}',
      },
    ],
    ['Alchemy', { code: 429, message: 'Your app has exceeded its compute units per second capacity.' }],
    ['Alchemy', { code: 429, message: 'Your app has exceeded its concurrent requests capacity.' }],
    ['Alchemy', { code: 429, message: 'Monthly capacity limit exceeded. Visit the dashboard.' }],
    ['QuickNode', { code: -32007, message: '50/second request limit reached - reduce calls per second' }],
    ['Chainstack', { code: -32005, message: "You've exceeded the RPS limit available on the current plan." }],
    [
      'Polygon',
      { code: -32090, message: 'Too many requests, reason: call rate limit exhausted, retry in 10s' },
    ],
    ['TheRPC', { code: -32029, message: 'Please wait a moment.' }],
    ['MegaETH', { code: -32021, message: 'over network traffic limit, retry in 5 seconds' }],
    ['MegaETH', { code: -32022, message: 'over compute unit limit, retry in 5 seconds' }],
    [
      'BlockVision',
      { code: -32607, message: 'The call limit has been reached, please upgrade your subscription' },
    ],
    ['Tenderly', { code: -32004, message: 'quota limit exceeded' }],
    ['BlastAPI', { code: -32000, message: 'Exceeded the quota usage' }],
    ['BlockPI', { code: -32000, message: 'rate limited: you have reached the free tier limit' }],
    ['Llama', { code: -32000, message: 'RPC is under too much load' }],
    ['dRPC', { code: 30, message: 'Request timeout on the free tier, please upgrade your tier to paid' }],
    ...[
      'too many concurrent requests',
      'Too many in-flight requests',
      'too many request, please try later',
      'out of credits',
      'credits depleted',
      'RPS exceeded',
      'Max RPS reached',
      'exceeded maximum number of requests',
      'max concurrent requests reached',
      'You have exceeded your limit of requests',
      'request queue is full',
      'call frequency too high',
      'Requests are being sent too fast',
      'cu limit exceeded; The current RPC traffic is too high for this method',
    ].map((message): [string, object] => ['a provider', { code: -32000, message }]),
    ['a provider, of a method', { code: -32005, message: 'limit exceeded: eth_getTransactionReceipt' }],
    ['a provider, of a method', { code: -32005, message: 'eth_getTransactionCount: daily limit reached' }],
    ['a provider', { code: -32029, message: 'transaction capacity exceeded' }],
    ['Alchemy, of a batch', { code: 429, message: 'exceeded eth_call batch size capacity' }],
    ['a text for a code', { code: 'RATE_LIMIT', message: 'see the dashboard' }],
    ['a credit', { code: -32010, message: 'Credit balance too low. Deposit USDC.' }],
  ],
  outage: [
    ['JSON-RPC 2.0', { code: -32603, message: 'Internal error' }],
    ['MetaMask', { code: -32603, message: 'Internal JSON-RPC error.' }],
    ['geth', { code: -32603, message: 'method handler crashed' }],
    ['Besu', { code: -32603, message: 'Timeout expired' }],
    ['a gateway', { code: -32603, message: 'backend request failed' }],
    ['geth', { code: -32002, message: 'request timed out' }],
    ['proxyd', { code: -32000, message: 'internal error' }],
    ['proxyd', { code: -32000, message: 'permanent error forwarding request context deadline exceeded' }],
    ['proxyd', { code: -32010, message: 'backend offline' }],
    ['proxyd', { code: -32011, message: 'no backends available for method' }],
    ['proxyd', { code: -32011, message: 'no backend is currently healthy to serve traffic' }],
    ['proxyd', { code: -32013, message: 'backend returned an invalid response' }],
    ['proxyd', { code: -32015, message: 'gateway timeout' }],
    ['Besu', { code: -32008, message: 'Initial sync is still in progress' }],
    ['dRPC', { code: 19, message: 'Temporary internal error. Please retry, trace-id: 5' }],
    ['dRPC', { code: 15, message: "Can't route your request to suitable provider" }],
    ['Envoy', { code: -32000, message: 'no healthy upstream' }],
    ['a proxy', { code: -32000, message: '502 Bad Gateway: <html>' }],
    ['a proxy', { code: 503, message: 'Service Unavailable' }],
    ['a proxy', { code: -32000, message: 'Post "http://10.0.0.1:8545": dial tcp: connection refused' }],
    ['Infura', { code: -32600, message: 'invalid project id' }],
    ['Alchemy', { code: -32600, message: 'Must be authenticated!' }],
    ['Alchemy', { code: -32600, message: 'App is inactive' }],
    ['Ankr', { code: -32052, message: 'API key is not allowed to access blockchain' }],
    ['Ankr', { code: -32000, message: 'Unauthorized: You must authenticate your request with an API key' }],
    ['a firewall', { code: 403, message: 'Forbidden' }],
    ['Cloudflare', { code: -32046, message: 'Cannot fulfill request' }],
    ['proxyd', { code: -31002, message: 'no response from any backend' }],
    ['a key', { code: -32602, message: 'invalid api key' }],
    ['a key', { code: -32000, message: 'Missing API key parameter' }],
    ['a plan', { code: -32000, message: 'chain not supported on your plan' }],
    ['no words', { code: -32000 }],
    ['nothing', {}],
    ...[
      'server is too busy',
      'node is busy',
      'endpoint disabled',
      'account suspended',
      'Payment required',
      'Your subscription has expired',
      'host not whitelisted',
      'Unspecified origin not on whitelist.',
      'Your IP address has been blocked',
      'permission denied',
      'invalid token',
      'JWT token expired',
      'unexpected EOF',
      'Post "http://10.0.0.1:8545": EOF',
      'context canceled',
      'fetch failed',
      'socket hang up',
      'dial tcp 10.0.0.1:8545: connect: no route to host',
      'lookup geth on 10.0.0.1:53: no such host',
      'all upstream attempts failed',
      'upstream connect error or disconnect/reset before headers',
      'no endpoint available',
      'node is not in sync',
      'node is 12 blocks behind',
      'missing trie node 8b3a (path ) state 0x5a is not available',
      'sender: upstream timed out',
      'gasless relay: internal server error',
      'Something went wrong',
      'Dienst nicht erreichbar',
    ].map((message): [string, object] => ['a server', { code: -32000, message }]),
  ],
}

const table = Object.entries(errors).flatMap(([kind, cases]) =>
  cases.map(([client, error]) => ({ kind, client, error })),
)

describe('rpcErrorKind', () => {
  it.each(table)('classifies as $kind an error of $client: $error', ({ kind, error }) => {
    expect(rpcErrorKind(parseErrorObject(error))).toBe(kind)
  })

  it.each([
    [-32000, 'exceeds block gas limit'],
    [-32005, 'Transaction gas limit exceeds block gas limit'],
    [-32005, 'Requested range exceeds maximum RPC range limit'],
    [-32005, 'Number of requests exceeds max batch size'],
    [-32005, 'query returned more than 10000 results'],
    [-32614, 'eth_getLogs is limited to a 10,000 range'],
    [-32020, 'backend response too large'],
    [-32000, 'gas limit reached'],
    [-32000, 'intrinsic gas too low'],
    [-32000, 'max code size exceeded: code size 25000, limit 24576'],
    [-32000, 'tx fee (5.00 ether) exceeds the configured cap (1.00 ether)'],
    [-32000, 'too many pending transactions for sender'],
    [-32000, 'txpool is full'],
    [-32000, 'transaction underpriced'],
    [-32009, 'Gas price below configured minimum gas price'],
    [-32007, 'Sender account not authorized to send transactions'],
    [-32000, 'forbidden sender address'],
    [-32000, 'execution aborted (timeout = 5s)'],
    [-32603, 'transaction underpriced'],
    [-32603, 'gas price less than block base fee'],
    [-32603, 'submit transaction to pool failed: Pool(InvalidTransaction(ExhaustsResources))'],
    [-32000, 'invalid sender'],
    [-32000, 'invalid chain id for signer: have 1 want 5'],
    [-32000, 'only replay-protected (EIP-155) transactions allowed over RPC'],
    [-32000, 'rlp: expected input list for types.LegacyTx'],
    [-32000, 'oversized data'],
    [-32000, 'filter not found'],
    [-32003, 'transaction rejected'],
    [-32006, 'Nonce too high'],
    [-32000, 'invalid nonce; got 6, expected 5: invalid sequence'],
    [-32000, 'account sequence mismatch, expected 5, got 6: incorrect account sequence'],
    [-32000, "the tx doesn't have the correct nonce. account has nonce of: 5 tx has nonce of: 6"],
  ])('classifies %i "%s" as other', (code, message) => {
    expect(rpcErrorKind(parseErrorObject({ code, message }))).toBe('other')
  })
})

describe('parseRpcError', () => {
  it.each([
    ['geth', { code: 3, message: 'execution reverted: too late', data: tooLate }],
    ['OpenEthereum', { code: -32015, message: 'VM execution error.', data: `Reverted ${tooLate}` }],
    ['Nethermind', { code: -32015, message: 'execution reverted', data: tooLate }],
    ['Nethermind before', { code: -32015, message: 'VM execution error.', data: 'revert: too late' }],
    ['Besu', { code: -32000, message: 'Execution reverted', data: tooLate }],
    ['Besu without data', { code: -32000, message: 'Execution reverted (too late)' }],
    [
      'Besu without words',
      { code: -32000, message: 'Transaction processing could not be completed', data: tooLate },
    ],
    ['geth without data', { code: -32000, message: 'execution reverted: too late' }],
    [
      'Hardhat',
      {
        code: -32603,
        message: 'Error: VM Exception while processing transaction',
        data: { message: 'it', txHash: hash, data: tooLate },
      },
    ],
    [
      'Hardhat without data',
      {
        code: -32603,
        message: "Error: VM Exception while processing transaction: reverted with reason string 'too late'",
      },
    ],
    [
      'Hardhat in words',
      { code: -32603, message: `reverted with an unrecognized custom error (return data: ${tooLate})` },
    ],
    ['Ganache', { code: -32000, message: 'VM Exception', data: { hash, result: tooLate, reason: 'no' } }],
    [
      'Ganache before',
      {
        code: -32000,
        message: 'VM Exception while processing transaction: revert',
        data: { [hash]: { error: 'revert', program_counter: 92, return: tooLate }, stack: 'RuntimeError' },
      },
    ],
    [
      'a proxy',
      {
        code: -32603,
        message: 'Internal JSON-RPC error.',
        data: { originalError: { code: 3, data: tooLate } },
      },
    ],
    ['older clients', { code: -32000, message: `execution reverted: ${tooLate}` }],
    ['a node in its message', { code: -32000, message: `Reverted ${tooLate}` }],
    ['Filecoin', { code: -32000, message: `message execution failed (revert reason=[${tooLate}])` }],
    ['a node without 0x', { code: 3, message: 'execution reverted', data: tooLate.slice(2) }],
    ['a node in quotes', { code: -32000, message: 'Execution reverted', data: `"${tooLate}"` }],
    [
      'OpenEthereum in capitals',
      { code: -32015, message: 'VM execution error.', data: `Reverted 0x${tooLate.slice(2).toUpperCase()}` },
    ],
  ])('extracts the revert reason in the form of %s', (_client, error) => {
    expect(parseRpcError(parseErrorObject(error), 'eth_call')).toMatchObject({
      code: 'reverted',
      message: 'The transaction would fail: too late.',
      facts: { reason: 'too late' },
    })
  })

  it('reports the selector of a custom error and the message of the client', () => {
    const error = { code: 3, message: 'execution reverted: custom error 0x12345678', data: '0x12345678' }
    expect(parseRpcError(parseErrorObject(error), 'eth_call')).toMatchObject({
      code: 'reverted',
      facts: { error: '0x12345678', reason: 'custom error 0x12345678' },
    })
  })

  it.each([
    'execution reverted',
    'VM execution error.',
    'Reverted',
    'VM Exception while processing transaction: revert',
  ])('reports the same reason for every revert without one: %s', (message) => {
    expect(parseRpcError(parseErrorObject({ code: 3, message }), 'eth_call')).toMatchObject({
      code: 'reverted',
      facts: { reason: 'no reason was given' },
    })
  })

  it('does not take a hash beside the data for revert data', () => {
    const error = { code: -32000, message: 'odd', data: { txHash: hash, blockHash: hash } }
    expect(parseErrorObject(error).data).toBeUndefined()
    expect(parseRpcError(parseErrorObject(error), 'eth_call')).toMatchObject({ code: 'node-unreachable' })
  })

  it('stops searching for revert data in deeply nested errors', () => {
    let data: unknown = tooLate
    for (let level = 0; level < 10_000; level++) data = { data }
    expect(parseErrorObject({ code: -32000, message: 'odd', data }).data).toBeUndefined()
  })
})
