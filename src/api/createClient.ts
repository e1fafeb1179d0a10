import type { Network } from '../domain/network/network.ts'
import type { HttpDeps } from '../httpClient.ts'
import type { SwapApi } from './client.ts'
import { createHttp } from './http.ts'
import { v3 } from './v3.ts'
import { v6 } from './v6.ts'

export function createApi(
  { chainId, serviceUrl, serviceKey, serviceVersion }: Network,
  parts: HttpDeps = {},
): SwapApi {
  const http = createHttp({ ...parts, baseUrl: serviceUrl, key: serviceKey })
  return serviceVersion === '3.0' ? v3(http, chainId) : v6(http, chainId)
}
