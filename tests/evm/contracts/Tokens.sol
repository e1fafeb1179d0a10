// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// @title A token whose events say what they like.
contract Liar {
  string public constant symbol = 'LIAR';
  string public constant name = 'Liar';
  uint8 public constant decimals = 18;

  mapping(address owner => uint256) public balanceOf;
  mapping(address owner => mapping(address spender => uint256)) public allowance;

  event Transfer(address indexed from, address indexed to, uint256 amount);
  event Approval(address indexed owner, address indexed spender, uint256 amount);

  constructor(address owner) {
    balanceOf[owner] = 1000;
  }

  /// @notice Tells of a gift that nobody gets.
  function boast() external {
    emit Transfer(address(0), msg.sender, 1e24);
  }

  /// @notice Takes without telling.
  function sneak(uint256 amount) external {
    balanceOf[msg.sender] -= amount;
    emit Transfer(msg.sender, address(this), 1);
  }

  /// @notice Tells of an end of an allowance that it gives.
  function forgive(address spender) external {
    allowance[msg.sender][spender] = type(uint256).max;
    emit Approval(msg.sender, spender, 0);
  }

  /// @notice Approves without telling.
  function approve(address spender, uint256 amount) external {
    allowance[msg.sender][spender] = amount;
  }
}

/// @title Items one by one (EIP-721), as far as they are looked at.
contract Items {
  string public constant symbol = 'ITEM';

  mapping(uint256 id => address) public ownerOf;
  mapping(uint256 id => address) public getApproved;
  mapping(address owner => mapping(address operator => bool)) public isApprovedForAll;
  mapping(address owner => uint256) public balanceOf;

  event Transfer(address indexed from, address indexed to, uint256 indexed id);
  event Approval(address indexed owner, address indexed approved, uint256 indexed id);
  event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

  function mint(uint256 id) external {
    ownerOf[id] = msg.sender;
    balanceOf[msg.sender]++;
    emit Transfer(address(0), msg.sender, id);
  }

  function transferFrom(address from, address to, uint256 id) external {
    require(ownerOf[id] == from, 'not the owner');
    ownerOf[id] = to;
    balanceOf[from]--;
    balanceOf[to]++;
    delete getApproved[id];
    emit Approval(from, address(0), id);
    emit Transfer(from, to, id);
  }

  function approve(address to, uint256 id) external {
    getApproved[id] = to;
    emit Approval(msg.sender, to, id);
  }

  function setApprovalForAll(address operator, bool approved) external {
    isApprovedForAll[msg.sender][operator] = approved;
    emit ApprovalForAll(msg.sender, operator, approved);
  }
}

/// @title Items by the dozen (EIP-1155), as far as they are looked at.
contract Dozens {
  mapping(address owner => mapping(uint256 id => uint256)) public balanceOf;

  event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);
  event TransferBatch(
    address indexed operator,
    address indexed from,
    address indexed to,
    uint256[] ids,
    uint256[] values
  );

  function mint(uint256[] calldata ids, uint256[] calldata values) external {
    for (uint256 i = 0; i < ids.length; i++) balanceOf[msg.sender][ids[i]] += values[i];
    emit TransferBatch(msg.sender, address(0), msg.sender, ids, values);
  }

  function give(address to, uint256 id, uint256 value) external {
    balanceOf[msg.sender][id] -= value;
    balanceOf[to][id] += value;
    emit TransferSingle(msg.sender, msg.sender, to, id, value);
  }
}

/// @title Burns all gas when it is asked what somebody has.
contract Burner {
  event Transfer(address indexed from, address indexed to, uint256 amount);

  function act() external {
    emit Transfer(address(this), msg.sender, 5);
  }

  function balanceOf(address) external pure returns (uint256) {
    while (true) {}
    return 1;
  }
}

/// @title Gives while it is only tried out, and takes when it is meant.
contract Chameleon {
  string public constant symbol = 'CHAM';
  string public constant name = 'Chameleon';
  uint8 public constant decimals = 18;

  mapping(address owner => uint256) public balanceOf;

  event Transfer(address indexed from, address indexed to, uint256 amount);

  constructor(address owner) {
    balanceOf[owner] = 1000;
  }

  function byPrice() external {
    act(tx.gasprice == 0);
  }

  function byBaseFee() external {
    act(block.basefee == 0 || tx.gasprice <= block.basefee);
  }

  function byGas() external {
    act(gasleft() > 1_000_000);
  }

  function act(bool isTrial) private {
    if (isTrial) balanceOf[msg.sender] += 1000;
    else balanceOf[msg.sender] -= 1000;
    emit Transfer(address(this), msg.sender, 1000);
  }
}
