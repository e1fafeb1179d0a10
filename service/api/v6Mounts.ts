import type { z } from 'zod'
import { type Operation, operation, type Version } from './operation.ts'
import * as parameter from './parameters.ts'
import type * as answers from './responses.ts'
import * as documented from './v6Operations.ts'
import { quoteResponse, swapResponse } from './v60Responses.ts'

/** A place where version 6.1 is served, in its own words or in those of 6.0. */
export type V6Mount = {
  version: Version
  operations: V6Operations
  /** True for the route of 6.0, nested lists. */
  isNested: boolean
  /** True where optional fields of tokens are answered always. */
  isPublic: boolean
}

type Protocols = z.input<typeof answers.quoteResponse | typeof quoteResponse>['protocols']

/** With a route of either kind. */
type Body<Answer extends z.ZodType> = Omit<z.input<Answer>, 'protocols'> & { protocols?: Protocols }

type V6Operations = Omit<typeof documented.operations, 'quote' | 'swap'> & {
  quote: Operation<typeof documented.quote.query, z.ZodType<unknown, Body<typeof answers.quoteResponse>>>
  swap: Operation<
    typeof documented.swap.query | typeof publicSwapQuery,
    z.ZodType<unknown, Body<typeof answers.swapResponse>>
  >
}

const publicSwapQuery = documented.swap.query.extend({ origin: parameter.originOrPayer.exactOptional() })

/** Ids are unique in the OpenAPI document. */
function renamed<Some extends Operation>(suffix: string, facts: Some): Some {
  return { ...facts, id: facts.id + suffix }
}

function publicMount(
  suffix: string,
  version: Omit<Version, 'operations'>,
  { quote, swap }: Pick<V6Operations, 'quote' | 'swap'>,
  isNested: boolean,
): V6Mount {
  const { spender, approval, allowance, sources, tokens } = documented.operations
  const operations = {
    quote: renamed(suffix, quote),
    swap: renamed(suffix, swap),
    spender: renamed(suffix, spender),
    approval: renamed(suffix, approval),
    allowance: renamed(suffix, allowance),
    sources: renamed(suffix, sources),
    tokens: renamed(suffix, tokens),
  }
  return {
    version: { ...version, operations: Object.values(operations) },
    operations,
    isNested,
    isPublic: true,
  }
}

const publicSwap = operation({ ...documented.swap, query: publicSwapQuery })

const nested = {
  quote: operation({ ...documented.quote, answer: quoteResponse }),
  swap: operation({ ...publicSwap, answer: swapResponse }),
}

const forClients =
  'Existing clients come here when only their service’s address changes: `origin` may be absent, and tokens have ' +
  '`eip2612` and `isFoT` always.'
const asNested =
  'Version 6.1 but for `protocols`: main routes, each a row of steps, each step the pieces that trade one token for the ' +
  'next. `meta` of an error without numbers is an empty list.'

/** The first is the interface’s document to the letter. */
export const v6Mounts: readonly V6Mount[] = [
  { version: documented.version, operations: documented.operations, isNested: false, isPublic: false },
  publicMount(
    'ForClients',
    { label: 'swap/v6.1', title: 'Version 6.1 under /swap', description: forClients },
    { quote: documented.quote, swap: publicSwap },
    false,
  ),
  publicMount(
    'ForClients60',
    { label: 'swap/v6.0', title: 'Version 6.0 under /swap', description: `${forClients} ${asNested}` },
    nested,
    true,
  ),
  publicMount(
    '60',
    {
      label: 'v6.0',
      title: 'Version 6.0',
      description: `${asNested} \`origin\` may be absent, and tokens have \`eip2612\` and \`isFoT\`.`,
    },
    nested,
    true,
  ),
]
