import type { Address } from '../../domain/token.ts'
import { t } from '../../language/translate.ts'
import { shortAddress } from '../format.ts'
import { CopyButton } from './CopyButton.tsx'

/** Somebody's address in short, whole when copied or pointed at. */
export function PublicAddress({ address, of }: { address: Address; of: string }) {
  return (
    <CopyButton text={address} label={t('Copy the address of {of}', { of })}>
      <span class="num">{shortAddress(address)}</span>
    </CopyButton>
  )
}
