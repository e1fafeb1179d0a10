import type { Address } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { CopyableAddress } from '../../components/address/CopyableAddress.tsx'
import { Row } from '../../components/Row.tsx'
import { formatUntil } from '../../format/time.ts'
import type { FindToken } from '../../tokens/useTokens.ts'

export type SignedProps = { chainId: number; account: Address; now: number; tokenOf: FindToken }

type Props = { name: string; address: Address; account?: Address; isBad?: boolean }

export function AddressRow({ name, address, account, isBad = false }: Props) {
  return (
    <Row name={name}>
      {address === account ? (
        t('This account')
      ) : (
        <span class={isBad ? 'bad' : ''}>
          <CopyableAddress address={address} of={name} />
        </span>
      )}
    </Row>
  )
}

const dayInSeconds = 86_400n

type UntilProps = { until: bigint | undefined; now: number; usualDays?: bigint }

/** Shows the validity, red when longer than `usualDays`. Undefined `until` never expires. */
export function Until({ until, now, usualDays = 1n }: UntilProps) {
  const isLong = until === undefined || until > BigInt(Math.floor(now / 1_000)) + usualDays * dayInSeconds
  return (
    <span class={isLong ? 'bad' : ''}>
      {until === undefined ? t('No expiration') : formatUntil(until, now)}
    </span>
  )
}
