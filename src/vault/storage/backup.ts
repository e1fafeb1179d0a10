import type { Backup } from './store.ts'

const database = 'vault'
const copies = 'copies'
const latest = 'latest'

/** Creates a backup in IndexedDB: other files than extension storage. */
export function createBackup(factory: IDBFactory = indexedDB): Backup {
  return {
    read: () => within<unknown>(factory, 'readonly', (store) => store.get(latest)),
    async write(records) {
      await within(factory, 'readwrite', (store) => store.put(records, latest))
    },
    async clear() {
      await within(factory, 'readwrite', (store) => store.clear())
    },
  }
}

/** Resolves when durable. */
async function within<T>(
  factory: IDBFactory,
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const connection = await connect(factory)
  try {
    return await new Promise((resolve, reject) => {
      const transaction = connection.transaction(copies, mode, { durability: 'strict' })
      const request = act(transaction.objectStore(copies))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
    })
  } finally {
    connection.close()
  }
}

function connect(factory: IDBFactory): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = factory.open(database, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(copies)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
