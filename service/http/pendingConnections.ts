import type { Socket } from 'node:net'
import type { CountedAs } from './clients.ts'
import { createFairOrder } from './scheduler/fairOrder.ts'

type Pending = { socket: Socket; client: CountedAs }

/** Creates the accepted connections that are not read yet. Each is destroyed after `waitMs`. */
export function createPendingConnections(max: number, waitMs: number) {
  const order = createFairOrder<Pending>()
  const timers = new Map<Pending, NodeJS.Timeout>()

  function remove(one: Pending): void {
    clearTimeout(timers.get(one))
    timers.delete(one)
    order.remove(one.client, one)
  }

  function destroy(one: Pending): void {
    remove(one)
    one.socket.destroy()
  }

  return {
    /** Keeps a connection, or destroys it if there are `max`. */
    hold(socket: Socket, client: CountedAs): void {
      if (timers.size >= max) return void socket.destroy()
      const one = { socket, client }
      timers.set(one, setTimeout(destroy, waitMs, one).unref())
      order.add(client, one)
      socket.once('close', () => remove(one))
      socket.on('error', () => destroy(one))
    },
    /** Removes and returns the next connection of a client that `hasRoom`, in fair order. */
    take(hasRoom: (client: CountedAs) => boolean): Pending | undefined {
      const next = order.take(hasRoom)
      if (next !== undefined) remove(next)
      return next
    },
    stop(): void {
      for (const one of timers.keys()) destroy(one)
    },
  }
}
