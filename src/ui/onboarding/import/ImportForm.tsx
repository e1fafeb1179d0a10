import { ImportAddress } from './ImportAddress.tsx'
import { ImportKeystore } from './ImportKeystore.tsx'
import { ImportPhrase } from './ImportPhrase.tsx'
import { ImportPrivateKey } from './ImportPrivateKey.tsx'
import type { ImportFormProps, ImportMethod } from './importMethods.ts'

export function ImportForm({ method, ...props }: ImportFormProps & { method: ImportMethod }) {
  switch (method) {
    case 'phrase':
      return <ImportPhrase {...props} />
    case 'key':
      return <ImportPrivateKey {...props} />
    case 'keystore':
      return <ImportKeystore {...props} />
    case 'watched':
      return <ImportAddress {...props} />
  }
}
