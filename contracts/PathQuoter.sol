// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IQuoterV2 {
  struct Single {
    address tokenIn;
    address tokenOut;
    uint256 amountIn;
    uint24 fee;
    uint160 sqrtPriceLimitX96;
  }

  function quoteExactInputSingle(Single memory single)
    external
    returns (uint256 amountOut, uint160 sqrtPriceAfter, uint32 ticksCrossed, uint256 gas);
}

interface IV2Factory {
  function getPair(address one, address other) external view returns (address);
}

interface IV2Pair {
  function getReserves() external view returns (uint112, uint112, uint32);
}

/// @notice Quotes paths through Uniswap v2 and v3 pools, all at one block.
/// @dev Never deployed: `eth_call` runs the constructor, which returns `abi.encode(Result)` (src/api/direct).
contract PathQuoter {
  /// @dev `v2Factory` may be zero. `unit` prices the wrapped native token. Fees in millionths.
  struct Request {
    IQuoterV2 quoter;
    IV2Factory v2Factory;
    address wrapped;
    address sell;
    address buy;
    uint256 amount;
    uint256 parts;
    uint256 maxPaths;
    uint256 unit;
    uint24[] fees;
    address[] connectors;
  }

  /// @dev A hop with fee 0 is a v2 pair. `returned[i]` is bought for `i + 1` parts of the amount; the first
  /// path sells the remainder of the division too. `gas` is used by the pools for the whole amount.
  struct Path {
    address[] tokens;
    uint24[] fees;
    uint256 gas;
    uint256[] returned;
  }

  /// @dev No two paths share a pool. `unitReturns` is bought for `unit`; 0 if unknown. `time` is the block's,
  /// in seconds since 1970.
  struct Result {
    Path[] paths;
    uint256 unitReturns;
    uint256 time;
  }

  struct Candidate {
    address[] tokens;
    uint24[] fees;
    uint256 whole;
    uint256 part;
    uint256 gas;
    bool isTaken;
  }

  /// @dev The two best pools of a hop.
  struct Best {
    uint24 fee;
    uint256 amount;
    uint24 nextFee;
    uint256 nextAmount;
  }

  uint160 private constant MIN_SQRT_LIMIT = 4295128740;
  uint160 private constant MAX_SQRT_LIMIT = 1461446703485210103287273052203988822378723970341;
  uint256 private constant V2_GAS = 105_000;

  constructor(Request memory request) {
    bytes memory result = abi.encode(quote(request));
    assembly ("memory-safe") {
      return(add(result, 32), mload(result))
    }
  }

  function quote(Request memory request) private returns (Result memory result) {
    uint256 connectors = request.connectors.length;
    uint256 short = request.fees.length + 1 + 2 * connectors;
    Candidate[] memory found = new Candidate[](short + connectors * connectors);
    uint256 count = addDirect(request, found, 0);
    for (uint256 i = 0; i < connectors; i++) {
      count = addConnected(request, request.connectors[i], found, count);
    }
    if (count == 0) count = addLong(request, found, count);
    result.paths = select(request, found, count);
    if (count > 0) result.unitReturns = priceUnit(request);
    result.time = block.timestamp;
  }

  function addDirect(Request memory request, Candidate[] memory found, uint256 count) private returns (uint256) {
    address[] memory tokens = toTokens(request.sell, request.buy);
    for (uint256 i = 0; i < request.fees.length; i++) {
      count = add(request, found, count, tokens, toFees(request.fees[i]));
    }
    return add(request, found, count, tokens, toFees(0));
  }

  /// @dev Pairs the best pools of both hops, then the second best ones.
  function addConnected(Request memory request, address connector, Candidate[] memory found, uint256 count)
    private
    returns (uint256)
  {
    if (isEnd(request, connector)) return count;
    address[] memory tokens = toTokens(request.sell, connector, request.buy);
    Best memory first = bestPools(request, request.sell, connector, request.amount);
    if (first.amount > 0) {
      Best memory second = bestPools(request, connector, request.buy, first.amount);
      if (second.amount > 0) {
        count = add(request, found, count, tokens, toFees(first.fee, second.fee));
        bool isSecondBest = first.nextAmount > 0 && second.nextAmount > 0;
        if (isSecondBest) count = add(request, found, count, tokens, toFees(first.nextFee, second.nextFee));
      }
    }
    return count;
  }

  /// @dev Only for pairs without another path.
  function addLong(Request memory request, Candidate[] memory found, uint256 count) private returns (uint256) {
    for (uint256 i = 0; i < request.connectors.length; i++) {
      if (isEnd(request, request.connectors[i])) continue;
      Best memory first = bestPools(request, request.sell, request.connectors[i], request.amount);
      for (uint256 j = 0; j < request.connectors.length && first.amount > 0; j++) {
        if (i != j && !isEnd(request, request.connectors[j])) count = addLongVia(request, found, count, first, request.connectors[i], request.connectors[j]);
      }
    }
    return count;
  }

  function addLongVia(
    Request memory request,
    Candidate[] memory found,
    uint256 count,
    Best memory first,
    address one,
    address other
  ) private returns (uint256) {
    Best memory second = bestPools(request, one, other, first.amount);
    if (second.amount == 0) return count;
    Best memory third = bestPools(request, other, request.buy, second.amount);
    if (third.amount == 0) return count;
    address[] memory tokens = new address[](4);
    (tokens[0], tokens[1], tokens[2], tokens[3]) = (request.sell, one, other, request.buy);
    uint24[] memory fees = new uint24[](3);
    (fees[0], fees[1], fees[2]) = (first.fee, second.fee, third.fee);
    return add(request, found, count, tokens, fees);
  }

  function add(
    Request memory request,
    Candidate[] memory found,
    uint256 count,
    address[] memory tokens,
    uint24[] memory fees
  ) private returns (uint256) {
    (uint256 whole, uint256 gas) = quotePath(request, tokens, fees, request.amount);
    if (whole == 0) return count;
    (uint256 part,) = quotePath(request, tokens, fees, request.amount / request.parts);
    found[count] = Candidate(tokens, fees, whole, part, gas, false);
    return count + 1;
  }

  /// @dev Best path for the whole amount, then disjoint ones by their return for one part.
  function select(Request memory request, Candidate[] memory found, uint256 count)
    private
    returns (Path[] memory paths)
  {
    Candidate[] memory chosen = new Candidate[](count < request.maxPaths ? count : request.maxPaths);
    uint256 length = 0;
    while (length < chosen.length) {
      Candidate memory best;
      for (uint256 i = 0; i < count; i++) {
        Candidate memory next = found[i];
        if (next.isTaken || !isDisjoint(next, chosen, length)) continue;
        if (length == 0 ? next.whole > best.whole : next.part > best.part) best = next;
      }
      if (best.tokens.length == 0) break;
      best.isTaken = true;
      chosen[length++] = best;
    }
    paths = new Path[](length);
    for (uint256 i = 0; i < length; i++) paths[i] = quoteParts(request, chosen[i], i == 0);
  }

  function quoteParts(Request memory request, Candidate memory chosen, bool isFirst)
    private
    returns (Path memory)
  {
    uint256 part = request.amount / request.parts;
    uint256 remainder = isFirst ? request.amount % request.parts : 0;
    uint256[] memory returned = new uint256[](request.parts);
    for (uint256 i = 0; i < request.parts; i++) {
      (returned[i],) = quotePath(request, chosen.tokens, chosen.fees, part * (i + 1) + remainder);
    }
    return Path(chosen.tokens, chosen.fees, chosen.gas, returned);
  }

  function priceUnit(Request memory request) private returns (uint256) {
    if (request.buy == request.wrapped) return request.unit;
    uint256 direct = bestPools(request, request.wrapped, request.buy, request.unit).amount;
    for (uint256 i = 0; i < request.connectors.length && direct == 0; i++) {
      address connector = request.connectors[i];
      if (connector == request.wrapped || connector == request.buy) continue;
      uint256 between = bestPools(request, request.wrapped, connector, request.unit).amount;
      if (between > 0) direct = bestPools(request, connector, request.buy, between).amount;
    }
    return direct;
  }

  function bestPools(Request memory request, address sell, address buy, uint256 amount)
    private
    returns (Best memory best)
  {
    for (uint256 i = 0; i <= request.fees.length; i++) {
      uint24 fee = i == request.fees.length ? 0 : request.fees[i];
      (uint256 returned,) = quoteHop(request, sell, buy, amount, fee);
      if (returned > best.amount) {
        (best.nextFee, best.nextAmount) = (best.fee, best.amount);
        (best.fee, best.amount) = (fee, returned);
      } else if (returned > best.nextAmount) {
        (best.nextFee, best.nextAmount) = (fee, returned);
      }
    }
  }

  function quotePath(Request memory request, address[] memory tokens, uint24[] memory fees, uint256 amount)
    private
    returns (uint256, uint256 gas)
  {
    for (uint256 i = 0; i < fees.length && amount > 0; i++) {
      uint256 used;
      (amount, used) = quoteHop(request, tokens[i], tokens[i + 1], amount, fees[i]);
      gas += used;
    }
    return (amount, gas);
  }

  function quoteHop(Request memory request, address sell, address buy, uint256 amount, uint24 fee)
    private
    returns (uint256, uint256)
  {
    if (fee == 0) return (quoteV2(request.v2Factory, sell, buy, amount), V2_GAS);
    return quoteV3(request.quoter, sell, buy, amount, fee);
  }

  /// @return 0 without a pool, or if it cannot sell the whole amount.
  function quoteV3(IQuoterV2 quoter, address sell, address buy, uint256 amount, uint24 fee)
    private
    returns (uint256, uint256)
  {
    // One exhausted pool scans many ticks, and must leave gas for the others.
    (bool isDone, bytes memory returned) = address(quoter).call{gas: gasleft() / 16}(
      abi.encodeCall(IQuoterV2.quoteExactInputSingle, (IQuoterV2.Single(sell, buy, amount, fee, 0)))
    );
    if (!isDone || returned.length != 128) return (0, 0);
    (uint256 amountOut, uint160 sqrtPriceAfter,, uint256 gas) =
      abi.decode(returned, (uint256, uint160, uint32, uint256));
    if (sqrtPriceAfter == MIN_SQRT_LIMIT || sqrtPriceAfter == MAX_SQRT_LIMIT) return (0, 0);
    return (amountOut, gas);
  }

  /// @dev UniswapV2Library.getAmountOut.
  function quoteV2(IV2Factory factory, address sell, address buy, uint256 amount) private view returns (uint256) {
    if (address(factory).code.length == 0 || amount > type(uint112).max) return 0;
    address pair = factory.getPair(sell, buy);
    if (pair == address(0)) return 0;
    (uint256 reserve, uint256 other,) = IV2Pair(pair).getReserves();
    if (sell > buy) (reserve, other) = (other, reserve);
    if (reserve == 0) return 0;
    uint256 taxed = amount * 997;
    return (taxed * other) / (reserve * 1000 + taxed);
  }

  function isEnd(Request memory request, address token) private pure returns (bool) {
    return token == request.sell || token == request.buy;
  }

  function isDisjoint(Candidate memory next, Candidate[] memory chosen, uint256 length) private pure returns (bool) {
    for (uint256 i = 0; i < length; i++) {
      for (uint256 j = 0; j < next.fees.length; j++) {
        if (hasPool(chosen[i], next.tokens[j], next.tokens[j + 1], next.fees[j])) return false;
      }
    }
    return true;
  }

  function hasPool(Candidate memory path, address one, address other, uint24 fee) private pure returns (bool) {
    for (uint256 i = 0; i < path.fees.length; i++) {
      (address from, address to) = (path.tokens[i], path.tokens[i + 1]);
      bool isSamePair = (from == one && to == other) || (from == other && to == one);
      if (isSamePair && path.fees[i] == fee) return true;
    }
    return false;
  }

  function toTokens(address one, address other) private pure returns (address[] memory tokens) {
    tokens = new address[](2);
    (tokens[0], tokens[1]) = (one, other);
  }

  function toTokens(address one, address middle, address other) private pure returns (address[] memory tokens) {
    tokens = new address[](3);
    (tokens[0], tokens[1], tokens[2]) = (one, middle, other);
  }

  function toFees(uint24 fee) private pure returns (uint24[] memory fees) {
    fees = new uint24[](1);
    fees[0] = fee;
  }

  function toFees(uint24 one, uint24 other) private pure returns (uint24[] memory fees) {
    fees = new uint24[](2);
    (fees[0], fees[1]) = (one, other);
  }
}
