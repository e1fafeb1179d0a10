// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Asks factories for the pools of pairs of tokens at one block, and whether the tokens have code.
/// @dev Never deployed: `eth_call` runs the constructor, which returns one page.
/// service/indexer/onDemand/poolFinder.ts reads it. A page is a byte 1 (EIP-3541 forbids 0xef), a byte per
/// token (1 if it has code), 4 bytes per query (the low bytes of its check's answer), 4 bytes for the number
/// of pairs that were asked until gas or room ended, then per pool found the pair's index 2, the query's
/// index 2 and the address 20. All big-endian.
contract PoolFinder {
  /// @dev EIP-170, for what a constructor returns, and its price per byte (yellow paper: G_codedeposit).
  uint256 private constant MAX_BYTES = 24_576;
  uint256 private constant BYTE_GAS = 200;
  uint256 private constant FOUND_BYTES = 24;

  /// @dev Per call, so that no factory takes the gas of the others; several times what a mapping needs.
  uint256 private constant READ_GAS = 30_000;

  /// @dev v4-core: StateLibrary.
  uint256 private constant POOLS_SLOT = 6;

  /// @dev In the place of tokens, by convention.
  address private constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

  struct Page {
    bytes data;
    uint256 end;
    uint256 gasLimit;
  }

  /// @param pairs Two indexes of `tokens`, 2 bytes each.
  /// @param queries Two words each: the factory's address, above it the selector of `f(token, token)` or,
  /// with bit 224, `f(token, token, argument)`, above it the selector of a check `f(argument)` or 0; then the
  /// argument. A query whose check answers 0 is left out. With bit 225 the factory is Uniswap v4's manager,
  /// and the argument a key's tick spacing in 24 bits, above it the fee in 24, a bit for the native token in
  /// place of the wrapped one, and the wrapped one; a pool's address is the beginning of its id. With bit 226
  /// the query is asked by the native token's name in place of the wrapped one, which the argument has above
  /// 49 bits, and only for pairs with it.
  /// @param gasBudget Maximum gas of the reads.
  constructor(address[] memory tokens, bytes memory pairs, uint256[] memory queries, uint256 gasBudget) {
    // One word more, since numbers are written as whole words.
    Page memory page = Page(new bytes(MAX_BYTES + 32), 0, gasleft() > gasBudget ? gasleft() - gasBudget : 0);
    append(page, 1, 1);
    for (uint256 i = 0; i < tokens.length; i++) {
      append(page, tokens[i].code.length > 0 ? 1 : 0, 1);
    }
    bool[] memory isAsked = check(page, queries);
    uint256 countAt = page.end;
    page.end += 4;
    uint256 room = queries.length / 2 * FOUND_BYTES;
    uint256 work = queries.length / 2 * READ_GAS;
    uint256 count = 0;
    for (; count < pairs.length / 4; count++) {
      uint256 end = page.end + room;
      if (end > MAX_BYTES || gasleft() <= page.gasLimit + work + BYTE_GAS * end) break;
      uint256 pair = word(pairs, count * 4);
      addPools(page, queries, isAsked, count, tokens[pair >> 240], tokens[(pair >> 224) & 0xffff]);
    }
    uint256 last = page.end;
    page.end = countAt;
    append(page, count, 4);
    bytes memory data = page.data;
    assembly ("memory-safe") {
      return(add(data, 32), last)
    }
  }

  function check(Page memory page, uint256[] memory queries) private view returns (bool[] memory isAsked) {
    isAsked = new bool[](queries.length / 2);
    for (uint256 i = 0; i < isAsked.length; i++) {
      uint256 query = queries[2 * i];
      bytes4 selector = bytes4(uint32(query >> 192));
      uint256 answer = selector == 0 ? 0 : ask(query, selector, queries[2 * i + 1], 0, 0, 36);
      isAsked[i] = selector == 0 || answer != 0;
      append(page, answer, 4);
    }
  }

  function addPools(
    Page memory page,
    uint256[] memory queries,
    bool[] memory isAsked,
    uint256 pair,
    address one,
    address other
  ) private view {
    for (uint256 i = 0; i < isAsked.length; i++) {
      if (!isAsked[i]) continue;
      uint256 query = queries[2 * i];
      bytes4 selector = bytes4(uint32(query >> 160));
      uint256 size = (query >> 224) & 1 == 0 ? 68 : 100;
      uint256 pool;
      if ((query >> 225) & 1 == 1) pool = askManager(query, selector, one, other, queries[2 * i + 1]);
      else if ((query >> 226) & 1 == 1) pool = askNative(query, selector, one, other, queries[2 * i + 1], size);
      else pool = ask(query, selector, uint160(one), uint160(other), queries[2 * i + 1], size);
      if (pool == 0 || pool > type(uint160).max) continue;
      append(page, pair, 2);
      append(page, i, 2);
      append(page, pool, 20);
    }
  }

  function askNative(
    uint256 factory,
    bytes4 selector,
    address one,
    address other,
    uint256 argument,
    uint256 size
  ) private view returns (uint256) {
    address wrapped = address(uint160(argument >> 49));
    if (one == wrapped) one = NATIVE;
    else if (other == wrapped) other = NATIVE;
    else return 0;
    return ask(factory, selector, uint160(one), uint160(other), uint48(argument), size);
  }

  /// @dev Reads the pool's price in the manager's storage (v4-core: PoolId, StateLibrary).
  /// @return pool The first 20 bytes of the pool's id; 0 if it is not initialized.
  function askManager(uint256 manager, bytes4 selector, address one, address other, uint256 key)
    private
    view
    returns (uint256 pool)
  {
    if ((key >> 48) & 1 == 1) {
      address wrapped = address(uint160(key >> 49));
      if (one == wrapped) one = address(0);
      else if (other == wrapped) other = address(0);
      else return 0;
    }
    (address currency0, address currency1) = one < other ? (one, other) : (other, one);
    bytes32 id = keccak256(abi.encode(currency0, currency1, uint24(key >> 24), uint24(key), address(0)));
    uint256 slot = uint256(keccak256(abi.encode(id, POOLS_SLOT)));
    uint256 slot0 = ask(manager, selector, slot, 0, 0, 36);
    return uint160(slot0) == 0 ? 0 : uint256(id) >> 96;
  }

  /// @dev Writes the low `size` bytes, and keeps those behind.
  function append(Page memory page, uint256 value, uint256 size) private pure {
    bytes memory data = page.data;
    uint256 end = page.end;
    assembly ("memory-safe") {
      let place := add(add(data, 32), end)
      let rest := and(mload(place), shr(shl(3, size), not(0)))
      mstore(place, or(shl(shl(3, sub(32, size)), value), rest))
    }
    page.end = end + size;
  }

  function word(bytes memory data, uint256 offset) private pure returns (uint256 found) {
    assembly ("memory-safe") {
      found := mload(add(add(data, 32), offset))
    }
  }

  /// @param size Bytes of the call: the selector and as many of the words.
  /// @return answer The first word that the factory returns; 0 if it fails.
  function ask(uint256 factory, bytes4 selector, uint256 first, uint256 second, uint256 third, uint256 size)
    private
    view
    returns (uint256 answer)
  {
    assembly ("memory-safe") {
      // Not allocated, since memory would grow with every call.
      let place := mload(64)
      mstore(place, selector)
      mstore(add(place, 4), first)
      mstore(add(place, 36), second)
      mstore(add(place, 68), third)
      let isRead := staticcall(READ_GAS, factory, place, size, 0, 32)
      if and(isRead, gt(returndatasize(), 31)) { answer := mload(0) }
    }
  }
}
