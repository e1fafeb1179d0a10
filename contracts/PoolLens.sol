// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Reads whole Uniswap v2, v3 and v4 and Algebra pools at one block: reserves, or price, liquidity
/// and all initialized ticks.
/// @dev Never deployed: `eth_call` runs the constructor, which returns one page.
/// service/indexer/lens/poolLens.ts reads it. A page is a byte 1 (EIP-3541 forbids 0xef), then records in the
/// order of the pools, until gas or room ends. A record begins with a byte: 0 a pool that could not be read,
/// 1 a complete one, 2 the beginning of one. v2: reserve0 and reserve1, 14 bytes each. v3: √price 20, tick 3,
/// liquidity 16, next bitmap word 2, count 2, then per tick index 3 and net liquidity 16; v4: the same, with
/// the protocol fee in 3 before the ticks. All big-endian, signed numbers in two's complement.
contract PoolLens {
  int256 private constant MIN_TICK = -887272;
  int256 private constant MAX_TICK = 887272;

  /// @dev EIP-170, for what a constructor returns, and its price per byte (yellow paper: G_codedeposit).
  uint256 private constant MAX_BYTES = 24_576;
  uint256 private constant BYTE_GAS = 200;

  uint256 private constant PAIR_BYTES = 29;
  uint256 private constant HEAD_BYTES = 44;
  uint256 private constant FEE_BYTES = 3;
  uint256 private constant TICK_BYTES = 19;

  /// @dev Per call, so that no pool takes the gas of the others; several times what the pools need.
  uint256 private constant READ_GAS = 100_000;
  /// @dev Of four cold slots and the code around them, rounded up.
  uint256 private constant TICK_GAS = 20_000;

  bytes4 private constant GET_RESERVES = 0x0902f1ac;
  bytes4 private constant SLOT0 = 0x3850c7bd;
  bytes4 private constant LIQUIDITY = 0x1a686502;
  bytes4 private constant TICK_BITMAP = 0x5339c296;
  bytes4 private constant TICKS = 0xf30dba93;
  bytes4 private constant EXTSLOAD = 0x1e2eaeaf;
  bytes4 private constant GLOBAL_STATE = 0xe76c01e4;
  bytes4 private constant TICK_TABLE = 0xc677e3e0;
  bytes4 private constant TICK_TREE_ROOT = 0x578b9a36;
  bytes4 private constant TICK_TREE_SECOND_LAYER = 0xd8619037;

  /// @dev Of a pool's word.
  uint256 private constant ALGEBRA = 1;
  uint256 private constant V4 = 2;

  /// @dev First word of ticks (Algebra Integral: TickTree).
  int256 private constant FIRST_LEAF = -3466;

  /// @dev v4-core: StateLibrary.
  uint256 private constant POOLS_SLOT = 6;
  uint256 private constant LIQUIDITY_OFFSET = 3;
  uint256 private constant TICKS_OFFSET = 4;
  uint256 private constant TICK_BITMAP_OFFSET = 5;

  /// @dev A pool of ticks. `slot` is that of its state in v4's pool manager, where `target` is the manager.
  struct Source {
    address target;
    uint256 form;
    int256 spacing;
    uint256 slot;
  }

  struct Page {
    bytes data;
    uint256 end;
    uint256 gasLimit;
  }

  /// @param pools Address, above it the tick spacing in 24 bits, 0 for a v2 pair, and above that the form: 0
  /// v3, 1 Algebra with a spacing of 1, 2 v4, whose address is the pool manager's and which has a second
  /// word, the pool's id.
  /// @param nextWord Bitmap word at which the first pool continues.
  /// @param gasBudget Maximum gas of the reads.
  constructor(uint256[] memory pools, int256 nextWord, uint256 gasBudget) {
    // One word more, since numbers are written as whole words.
    Page memory page = Page(new bytes(MAX_BYTES + 32), 0, gasleft() > gasBudget ? gasleft() - gasBudget : 0);
    append(page, 1, 1);
    for (uint256 i = 0; i < pools.length; i++) {
      Source memory pool = Source(
        address(uint160(pools[i])), uint8(pools[i] >> 184), int256(uint256(uint24(pools[i] >> 160))), 0
      );
      int256 word = i == 0 ? nextWord : type(int256).min;
      if (pool.form == V4) pool.slot = slotOf(pools[++i], POOLS_SLOT);
      bool isDone = pool.spacing == 0 ? addPair(page, pool.target) : addPool(page, pool, word);
      if (!isDone) break;
    }
    bytes memory data = page.data;
    uint256 end = page.end;
    assembly ("memory-safe") {
      return(add(data, 32), end)
    }
  }

  /// @return False if the page is full.
  function addPair(Page memory page, address pair) private view returns (bool) {
    if (!hasRoom(page, PAIR_BYTES, READ_GAS)) return false;
    (bool isRead, uint256 reserve0, uint256 reserve1) = read(pair, GET_RESERVES, 0, 64);
    if (!isRead || reserve0 > type(uint112).max || reserve1 > type(uint112).max) {
      append(page, 0, 1);
    } else {
      append(page, 1, 1);
      append(page, reserve0, 14);
      append(page, reserve1, 14);
    }
    return true;
  }

  /// @return False if the page is full.
  function addPool(Page memory page, Source memory pool, int256 word) private view returns (bool) {
    if (!hasRoom(page, HEAD_BYTES + FEE_BYTES, 2 * READ_GAS)) return false;
    uint256 start = page.end;
    uint256 sqrtPrice;
    {
      (bool isRead, uint256 price, uint256 tick, uint256 liquidity, uint256 fee) = readHead(pool);
      if (!isRead) return fail(page, start);
      sqrtPrice = price;
      append(page, 1, 1);
      append(page, price, 20);
      append(page, tick, 3);
      append(page, liquidity, 16);
      page.end += 4;
      if (pool.form == V4) append(page, fee, FEE_BYTES);
    }

    int256 last = (MAX_TICK / pool.spacing) >> 8;
    int256 first = (MIN_TICK / pool.spacing) >> 8;
    if (word < first) word = first;
    // An uninitialized pool has no ticks.
    if (sqrtPrice == 0) word = last + 1;
    uint256 count = 0;
    for (; word <= last; word++) {
      if (!hasRoom(page, 0, pool.form == ALGEBRA ? 3 * READ_GAS : READ_GAS)) break;
      if (pool.form == ALGEBRA) {
        (bool hasTree, int256 leaf) = nextLeaf(pool, word, last);
        if (!hasTree) return fail(page, start);
        word = leaf;
        if (word > last) break;
      }
      (bool hasWord, uint256 bitmap) = readBitmap(pool, word);
      if (!hasWord) return fail(page, start);
      if (bitmap == 0) continue;
      uint256 bits = countBits(bitmap);
      if (!hasRoom(page, bits * TICK_BYTES, READ_GAS + bits * TICK_GAS)) break;
      if (!addTicks(page, pool, word, bitmap)) return fail(page, start);
      count += bits;
    }
    uint256 end = page.end;
    page.end = start;
    append(page, word > last ? 1 : 2, 1);
    page.end = start + HEAD_BYTES - 4;
    append(page, (uint256(word) << 16) | count, 4);
    page.end = end;
    return word > last;
  }

  function addTicks(Page memory page, Source memory pool, int256 word, uint256 bitmap)
    private
    view
    returns (bool)
  {
    for (int256 bit = 0; bit < 256; bit++) {
      if ((bitmap >> uint256(bit)) & 1 == 0) continue;
      int256 index = (word * 256 + bit) * pool.spacing;
      (bool isRead, uint256 net) = readTick(pool, index);
      if (!isRead) return false;
      append(page, uint256(index), 3);
      append(page, net, 16);
    }
    return true;
  }

  function readHead(Source memory pool)
    private
    view
    returns (bool isRead, uint256 sqrtPrice, uint256 tick, uint256 liquidity, uint256 fee)
  {
    bool hasLiquidity;
    if (pool.form == V4) {
      // √price, tick, and the protocol fee above them in 24 bits (v4-core: Slot0).
      (isRead, sqrtPrice,) = read(pool.target, EXTSLOAD, pool.slot, 32);
      (tick, fee) = (sqrtPrice >> 160, sqrtPrice >> 184);
      sqrtPrice = uint160(sqrtPrice);
      (hasLiquidity, liquidity,) = read(pool.target, EXTSLOAD, pool.slot + LIQUIDITY_OFFSET, 32);
    } else {
      bytes4 selector = pool.form == ALGEBRA ? GLOBAL_STATE : SLOT0;
      (isRead, sqrtPrice, tick) = read(pool.target, selector, 0, 64);
      (hasLiquidity, liquidity,) = read(pool.target, LIQUIDITY, 0, 32);
    }
    isRead = isRead && hasLiquidity;
  }

  function readBitmap(Source memory pool, int256 word) private view returns (bool isRead, uint256 bitmap) {
    if (pool.form == V4) {
      (isRead, bitmap,) =
        read(pool.target, EXTSLOAD, slotOf(uint256(word), pool.slot + TICK_BITMAP_OFFSET), 32);
    } else {
      bytes4 selector = pool.form == ALGEBRA ? TICK_TABLE : TICK_BITMAP;
      (isRead, bitmap,) = read(pool.target, selector, uint256(word), 32);
    }
  }

  /// @dev The tree's root has a bit per word of the second layer, and these have a bit per word of ticks.
  /// @return isRead False if the pool does not answer.
  /// @return leaf First word at or after `word` that has ticks, else `last + 1`; or a word without ticks,
  /// from which the search goes on, so that no call reads many.
  function nextLeaf(Source memory pool, int256 word, int256 last)
    private
    view
    returns (bool isRead, int256 leaf)
  {
    uint256 root;
    (isRead, root,) = read(pool.target, TICK_TREE_ROOT, 0, 32);
    if (!isRead) return (false, 0);
    uint256 place = uint256(word - FIRST_LEAF);
    uint256 bits = (root >> (place >> 8)) & 1;
    if (bits == 1) {
      (isRead, bits,) = read(pool.target, TICK_TREE_SECOND_LAYER, place >> 8, 32);
      bits >>= place & 255;
    }
    if (bits == 0) place = ((place >> 8) + 1) << 8;
    else for (; bits & 1 == 0; bits >>= 1) place++;
    leaf = int256(place) + FIRST_LEAF;
    if (leaf > last) leaf = last + 1;
  }

  /// @return isRead False if the pool does not answer.
  /// @return net Liquidity in two's complement of 128 bits; more bits may be set.
  function readTick(Source memory pool, int256 index) private view returns (bool isRead, uint256 net) {
    if (pool.form == V4) {
      // The gross liquidity is below.
      (isRead, net,) = read(pool.target, EXTSLOAD, slotOf(uint256(index), pool.slot + TICKS_OFFSET), 32);
      net >>= 128;
    } else {
      (isRead,, net) = read(pool.target, TICKS, uint256(index), 64);
    }
  }

  /// @dev Slot of a mapping's value (Solidity: Layout of State Variables in Storage).
  function slotOf(uint256 key, uint256 mappingSlot) private pure returns (uint256 slot) {
    assembly ("memory-safe") {
      mstore(0, key)
      mstore(32, mappingSlot)
      slot := keccak256(0, 64)
    }
  }

  function fail(Page memory page, uint256 start) private pure returns (bool) {
    page.end = start;
    append(page, 0, 1);
    return true;
  }

  function hasRoom(Page memory page, uint256 size, uint256 work) private view returns (bool) {
    uint256 end = page.end + size;
    return end <= MAX_BYTES && gasleft() > page.gasLimit + work + BYTE_GAS * end;
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

  function countBits(uint256 word) private pure returns (uint256 count) {
    for (; word > 0; word &= word - 1) count++;
  }

  /// @dev First two words of what the pool returns, at least `size` bytes.
  function read(address pool, bytes4 selector, uint256 argument, uint256 size)
    private
    view
    returns (bool isRead, uint256 first, uint256 second)
  {
    assembly ("memory-safe") {
      mstore(0, selector)
      mstore(4, argument)
      isRead := staticcall(READ_GAS, pool, 0, 36, 0, size)
      isRead := and(isRead, iszero(lt(returndatasize(), size)))
      first := mload(0)
      second := mload(32)
    }
  }
}
