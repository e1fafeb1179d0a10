// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

library ERC20Events {
  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);
}

library ERC721Events {
  event Transfer(address indexed from, address indexed to, uint256 indexed id);
}

/// @notice One item per whole unit held, as in ERC-404.
abstract contract DualToken {
  uint8 public constant decimals = 18;
  uint256 private constant UNIT = 1e18;

  string public name;
  string public symbol;
  uint256 public totalSupply;
  mapping(address owner => uint256) private _balances;
  mapping(address owner => mapping(address spender => uint256)) public allowance;

  /// @notice Holds no items, like pools.
  mapping(address owner => bool) public isExempt;
  mapping(address owner => uint256[]) private _items;
  mapping(uint256 id => address) internal _ownerOf;
  uint256 private _lastId;

  constructor(string memory symbol_) {
    (name, symbol) = (symbol_, symbol_);
    isExempt[msg.sender] = true;
    totalSupply = _balances[msg.sender] = 1e9 * UNIT;
  }

  function balanceOf(address owner) external view returns (uint256) {
    return _balances[owner];
  }

  function exempt(address owner) external {
    require(_items[owner].length == 0, 'has items');
    isExempt[owner] = true;
  }

  function approve(address spender, uint256 value) external returns (bool) {
    allowance[msg.sender][spender] = value;
    emit ERC20Events.Approval(msg.sender, spender, value);
    return true;
  }

  function transfer(address to, uint256 value) external returns (bool) {
    _move(msg.sender, to, value);
    return true;
  }

  function transferFrom(address from, address to, uint256 value) external returns (bool) {
    uint256 allowed = allowance[from][msg.sender];
    if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
    _move(from, to, value);
    return true;
  }

  function itemsOf(address owner) public view returns (uint256[] memory) {
    return _items[owner];
  }

  function _move(address from, address to, uint256 value) private {
    _balances[from] -= value;
    _balances[to] += value;
    _logValue(from, to, value);
    // Newest first; burned unless the recipient gains a unit.
    uint256[] storage items = _items[from];
    while (!isExempt[from] && items.length > _balances[from] / UNIT) {
      uint256 id = items[items.length - 1];
      items.pop();
      bool isPassed = !isExempt[to] && _items[to].length < _balances[to] / UNIT;
      _moveItem(from, isPassed ? to : address(0), id);
      if (isPassed) _items[to].push(id);
    }
    while (!isExempt[to] && _items[to].length < _balances[to] / UNIT) {
      uint256 id = ++_lastId;
      _moveItem(address(0), to, id);
      _items[to].push(id);
    }
  }

  function _moveItem(address from, address to, uint256 id) private {
    _ownerOf[id] = to;
    _logItem(from, to, id);
  }

  function _logValue(address from, address to, uint256 value) internal virtual {
    emit ERC20Events.Transfer(from, to, value);
  }

  function _logItem(address from, address to, uint256 id) internal virtual {
    emit ERC721Events.Transfer(from, to, id);
  }
}

/// @notice Logs both Transfer events (ERC-404 v2).
contract BothTransfersToken is DualToken('BOTH') {
  function ownerOf(uint256 id) external view returns (address) {
    return _ownerOf[id];
  }
}

/// @notice Logs values as ERC20Transfer (ERC-404 v1).
contract RenamedTransferToken is DualToken('RENAMED') {
  event ERC20Transfer(address indexed from, address indexed to, uint256 value);

  function ownerOf(uint256 id) external view returns (address) {
    return _ownerOf[id];
  }

  function _logValue(address from, address to, uint256 value) internal override {
    emit ERC20Transfer(from, to, value);
  }
}

/// @notice Items are ERC-1155.
contract CountedItemsToken is DualToken('COUNTED') {
  event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);

  function balanceOf(address owner, uint256 id) external view returns (uint256) {
    return _ownerOf[id] == owner ? 1 : 0;
  }

  function _logItem(address from, address to, uint256 id) internal override {
    emit TransferSingle(msg.sender, from, to, id, 1);
  }
}

/// @notice Items are in their own contract (ERC-7631, DN-404).
contract MirroredToken is DualToken('MIRRORED') {
  ItemMirror private immutable _mirror = new ItemMirror();

  function mirrorERC721() external view virtual returns (address) {
    return address(_mirror);
  }

  function ownerOfItem(uint256 id) external view returns (address) {
    return _ownerOf[id];
  }

  function _logItem(address from, address to, uint256 id) internal override {
    _mirror.log(from, to, id);
  }
}

/// @notice Does not name its mirror.
contract UnnamedMirrorToken is MirroredToken {
  function mirrorERC721() external pure override returns (address) {
    return address(0);
  }
}

contract ItemMirror {
  address public immutable baseERC20 = msg.sender;
  string public constant symbol = 'MIRROR';

  function ownerOf(uint256 id) external view returns (address) {
    return MirroredToken(baseERC20).ownerOfItem(id);
  }

  function balanceOf(address owner) external view returns (uint256) {
    return MirroredToken(baseERC20).itemsOf(owner).length;
  }

  function log(address from, address to, uint256 id) external {
    require(msg.sender == baseERC20);
    emit ERC721Events.Transfer(from, to, id);
  }
}
