// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice ERC-20 with ERC-6093 errors, minted by the deployer.
contract Token {
  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);

  error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed);
  error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed);
  error NotMinter(address caller);

  address public immutable minter = msg.sender;
  uint8 public immutable decimals;
  string public name;
  string public symbol;

  uint256 public totalSupply;
  mapping(address owner => uint256) public balanceOf;
  mapping(address owner => mapping(address spender => uint256)) public allowance;

  constructor(string memory name_, string memory symbol_, uint8 decimals_) {
    name = name_;
    symbol = symbol_;
    decimals = decimals_;
  }

  function mint(address to, uint256 value) external {
    if (msg.sender != minter) revert NotMinter(msg.sender);
    totalSupply += value;
    balanceOf[to] += value;
    emit Transfer(address(0), to, value);
  }

  function transfer(address to, uint256 value) external returns (bool) {
    _move(msg.sender, to, value);
    return true;
  }

  function approve(address spender, uint256 value) external returns (bool) {
    _allow(msg.sender, spender, value);
    return true;
  }

  /// @notice Unlimited allowances are not reduced.
  function transferFrom(address from, address to, uint256 value) external returns (bool) {
    uint256 allowed = allowance[from][msg.sender];
    if (allowed < value) revert ERC20InsufficientAllowance(msg.sender, allowed, value);
    if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
    _move(from, to, value);
    return true;
  }

  function _allow(address owner, address spender, uint256 value) internal {
    allowance[owner][spender] = value;
    emit Approval(owner, spender, value);
  }

  function _move(address from, address to, uint256 value) private {
    uint256 balance = balanceOf[from];
    if (balance < value) revert ERC20InsufficientBalance(from, balance, value);
    unchecked {
      balanceOf[from] = balance - value;
      balanceOf[to] += value; // at most totalSupply
    }
    emit Transfer(from, to, value);
  }
}
