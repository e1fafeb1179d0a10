// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface ICoin {
  function balanceOf(address owner) external view returns (uint256);
  function decimals() external view returns (uint256);
  function transfer(address to, uint256 value) external;
  function transferFrom(address from, address to, uint256 value) external;
}

/// @notice StableSwap pool for tests: the exchange of Curve's pools and of those after them to the wei, in
/// Solidity, since the originals are in Vyper. Liquidity is simplified: no fees, no transferable shares.
/// @dev Egorov 2019, "StableSwap". Checked operations are in the originals' order, so that they revert alike.
abstract contract StableSwap {
  // The first two, slots 0 to 15, are written by tests.
  /// @dev Without the administrator's part, but in NG pools.
  uint256[8] internal held;
  /// @dev The administrator's part in NG pools.
  uint256[8] internal owed;

  uint256 public fee;
  uint256 public admin_fee = 5e9;
  uint256 public initial_A;
  uint256 public future_A;
  uint256 public initial_A_time;
  uint256 public future_A_time;
  uint256 public totalSupply;
  address public immutable owner;
  uint256 internal immutable precision;

  address[] internal tokens;
  uint256[] internal multipliers;

  address internal constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
  uint256 internal constant FEE_DENOMINATOR = 1e10;
  uint256 internal constant PRECISION = 1e18;

  event RampA(uint256 old_A, uint256 new_A, uint256 initial_time, uint256 future_time);
  event StopRampA(uint256 A, uint256 t);

  error NotOwner();
  error NotConverged();
  error TooLittle(uint256 bought);
  error WrongValue();

  modifier onlyOwner() {
    if (msg.sender != owner) revert NotOwner();
    _;
  }

  constructor(address owner_, address[] memory coins_, uint256 amplification, uint256 fee_, uint256 precision_) {
    owner = owner_;
    precision = precision_;
    tokens = coins_;
    for (uint256 i = 0; i < coins_.length; ++i) {
      uint256 places = coins_[i] == NATIVE ? 18 : ICoin(coins_[i]).decimals();
      multipliers.push(10 ** (36 - places));
    }
    initial_A = future_A = amplification * precision_;
    fee = fee_;
  }

  receive() external payable {}

  function coins(uint256 i) external view returns (address) {
    return tokens[i];
  }

  function balances(uint256 i) public view virtual returns (uint256) {
    if (i >= tokens.length) revert();
    return held[i];
  }

  function A() external view returns (uint256) {
    return _A() / precision;
  }

  function ramp_A(uint256 next, uint256 time) external onlyOwner {
    emit RampA(_A(), next, block.timestamp, time);
    (initial_A, initial_A_time) = (_A(), block.timestamp);
    (future_A, future_A_time) = (next, time);
  }

  function stop_ramp_A() external onlyOwner {
    uint256 current = _A();
    (initial_A, future_A) = (current, current);
    (initial_A_time, future_A_time) = (block.timestamp, block.timestamp);
    emit StopRampA(current, block.timestamp);
  }

  function add_liquidity(uint256[] calldata amounts, uint256) external payable virtual {
    uint256 before = totalSupply == 0 ? 0 : _invariant(_scaled());
    for (uint256 i = 0; i < amounts.length; ++i) {
      if (amounts[i] > 0) _pull(i, amounts[i]);
      held[i] += amounts[i];
    }
    uint256 grown = _invariant(_scaled());
    totalSupply = totalSupply == 0 ? grown : (totalSupply * grown) / before;
    _logLiquidity('AddLiquidity', amounts, 2, grown);
  }

  function remove_liquidity(uint256 shares, uint256[] calldata) external onlyOwner {
    uint256[] memory amounts = new uint256[](tokens.length);
    for (uint256 i = 0; i < amounts.length; ++i) {
      amounts[i] = (balances(i) * shares) / totalSupply;
      held[i] -= amounts[i];
      _push(i, amounts[i], msg.sender);
    }
    totalSupply -= shares;
    _logLiquidity('RemoveLiquidity', amounts, 1, 0);
  }

  function remove_liquidity_imbalance(uint256[] calldata amounts, uint256) external onlyOwner {
    for (uint256 i = 0; i < amounts.length; ++i) {
      held[i] -= amounts[i];
      if (amounts[i] > 0) _push(i, amounts[i], msg.sender);
    }
    _logLiquidity('RemoveLiquidityImbalance', amounts, 2, _invariant(_scaled()));
  }

  function remove_liquidity_one_coin(uint256 amount, uint256 i) external onlyOwner {
    held[i] -= amount;
    _push(i, amount, msg.sender);
    _logOne(i, amount);
  }

  function _logOne(uint256 i, uint256 amount) internal virtual;

  /// @dev The events' signatures name the number of tokens, or a list in NG pools.
  function _logLiquidity(string memory name, uint256[] memory amounts, uint256 words, uint256 invariant)
    internal
    virtual
  {
    uint256 count = tokens.length;
    bytes memory list = abi.encodePacked(',uint256[', bytes1(uint8(48 + count)), ']');
    bytes memory end = words == 2 ? bytes(',uint256,uint256)') : bytes(',uint256)');
    bytes32 topic = keccak256(abi.encodePacked(name, '(address', list, list, end));
    bytes memory rest = words == 2 ? abi.encode(invariant, totalSupply) : abi.encode(totalSupply);
    bytes memory data = abi.encodePacked(amounts, new uint256[](count), rest);
    uint256 provider = uint160(msg.sender);
    assembly ('memory-safe') {
      log2(add(data, 32), mload(data), topic, provider)
    }
  }

  struct Sale {
    uint256 i;
    uint256 j;
    uint256 x;
    uint256 y;
    uint256 dy;
    uint256 dyFee;
  }

  /// @dev Before and after are with 18 decimals.
  function _solve(uint256[] memory xp, uint256[] memory rates, uint256 i, uint256 j, uint256 dx)
    internal
    view
    returns (Sale memory sale)
  {
    (sale.i, sale.j) = (i, j);
    sale.x = xp[i] + (dx * rates[i]) / PRECISION;
    sale.y = _balanceAfter(i, j, sale.x, xp);
    sale.dy = xp[j] - sale.y - 1;
    sale.dyFee = (sale.dy * _feeAt((xp[i] + sale.x) / 2, (xp[j] + sale.y) / 2)) / FEE_DENOMINATOR;
  }

  function _feeAt(uint256, uint256) internal view virtual returns (uint256) {
    return fee;
  }

  function _rates() internal view virtual returns (uint256[] memory) {
    return multipliers;
  }

  function _scaled() internal view returns (uint256[] memory xp) {
    xp = _rates();
    for (uint256 i = 0; i < xp.length; ++i) xp[i] = (xp[i] * balances(i)) / PRECISION;
  }

  function _A() internal view returns (uint256) {
    if (block.timestamp >= future_A_time) return future_A;
    uint256 passed = block.timestamp - initial_A_time;
    uint256 whole = future_A_time - initial_A_time;
    return future_A > initial_A
      ? initial_A + ((future_A - initial_A) * passed) / whole
      : initial_A - ((initial_A - future_A) * passed) / whole;
  }

  function _isJoint() internal view virtual returns (bool) {
    return false;
  }

  function _invariant(uint256[] memory xp) internal view returns (uint256 invariant) {
    uint256 count = xp.length;
    for (uint256 i = 0; i < count; ++i) invariant += xp[i];
    if (invariant == 0) return 0;
    uint256 amplified = _A() * count;
    uint256 all = (amplified * invariant) / precision;
    bool isJoint = _isJoint();
    for (uint256 round = 0; round < 255; ++round) {
      uint256 product = invariant;
      for (uint256 i = 0; i < count; ++i) product = (product * invariant) / (isJoint ? xp[i] : xp[i] * count);
      if (isJoint) product /= count ** count;
      uint256 last = invariant;
      invariant = ((all + product * count) * last)
        / (((amplified - precision) * last) / precision + (count + 1) * product);
      if (_isClose(invariant, last)) return invariant;
    }
    if (precision > 1) revert NotConverged();
  }

  function _balanceAfter(uint256 i, uint256 j, uint256 x, uint256[] memory xp) internal view returns (uint256 y) {
    if (i == j) revert();
    uint256 invariant = _invariant(xp);
    uint256 amplified = _A() * xp.length;
    uint256 c = invariant;
    uint256 b = 0;
    for (uint256 k = 0; k < xp.length; ++k) {
      if (k == j) continue;
      uint256 other = k == i ? x : xp[k];
      b += other;
      c = (c * invariant) / (other * xp.length);
    }
    c = (c * invariant * precision) / (amplified * xp.length);
    b += (invariant * precision) / amplified;
    y = invariant;
    for (uint256 round = 0; round < 255; ++round) {
      uint256 last = y;
      y = (last * last + c) / (2 * last + b - invariant);
      if (_isClose(y, last)) return y;
    }
    if (precision > 1) revert NotConverged();
  }

  function _isClose(uint256 one, uint256 other) private pure returns (bool) {
    return one > other ? one - other <= 1 : other - one <= 1;
  }

  function _pull(uint256 i, uint256 amount) internal {
    if (tokens[i] != NATIVE) ICoin(tokens[i]).transferFrom(msg.sender, address(this), amount);
    else if (msg.value != amount) revert WrongValue();
  }

  function _push(uint256 i, uint256 amount, address to) internal {
    if (tokens[i] != NATIVE) return ICoin(tokens[i]).transfer(to, amount);
    (bool isPaid, ) = to.call{value: amount}('');
    if (!isPaid) revert WrongValue();
  }
}
